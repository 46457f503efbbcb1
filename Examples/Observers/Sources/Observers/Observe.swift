import AppBoot
import AppBootLifecycle

func observe(_ plan: LaunchPlan, with observer: any LaunchObserver) -> LifecycleHost {
  var runner = LaunchRunner.Configuration()
  runner.observers = [observer]  // for LaunchRunner(plan, configuration: runner)
  var host = LifecycleHost.Configuration()
  host.runner = runner  // for the launch and the event handlers of an app
  return LifecycleHost(plan, configuration: host)
}
