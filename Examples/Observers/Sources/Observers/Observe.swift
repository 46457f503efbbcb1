import AppBoot
import AppBootLifecycle

func observe(_ plan: StartupPlan, with observer: any StartupObserver) -> LifecycleHost {
  var runner = StartupRunner.Configuration()
  runner.observers = [observer]  // for StartupRunner(plan, configuration: runner)
  var host = LifecycleHost.Configuration()
  host.runner = runner  // for the launch and the event handlers of an app
  return LifecycleHost(plan, configuration: host)
}
