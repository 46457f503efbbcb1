extension StarterTemplate {
  /// Returns a Dockerfile with an image that has only appboot, and one that has a shell.
  static func dockerfile(_ manifest: String) -> String {
    """
    # Scripts/release of AppBoot builds appboot as one static file. Copy it here, and then:
    # docker build -t localhost/my-service . && docker run --rm localhost/my-service

    # An image without a shell and libraries: docker build --target bare -t localhost/my-service .
    FROM scratch AS bare
    COPY appboot /usr/local/bin/appboot
    WORKDIR /app
    COPY \(manifest) .
    # The launch has the steps that need no program. If it succeeds, the command starts.
    ENTRYPOINT ["appboot", "run", "\(manifest)", "--only", "database", "--"]
    # Your server, a static executable like appboot.
    CMD ["appboot", "version"]

    # The default, an image with a shell: for "run", and for services.
    FROM debian:stable-slim
    COPY appboot /usr/local/bin/appboot
    WORKDIR /app
    COPY \(manifest) .
    # appboot is the first process: it forwards signals, reaps processes and stops the services.
    ENTRYPOINT ["appboot"]
    CMD ["run", "\(manifest)"]

    """
  }

  /// Returns a systemd unit that runs a launch and its services.
  static func unit(_ manifest: String) -> String {
    """
    # Copy appboot to /usr/local/bin and the manifest to /srv/my-service. Then:
    # sudo useradd --system my-service
    # sudo cp appboot.service /etc/systemd/system/my-service.service && sudo systemctl enable --now my-service
    [Unit]
    Description=my-service
    Wants=network-online.target
    After=network-online.target

    [Service]
    Type=notify
    User=my-service
    WorkingDirectory=/srv/my-service
    ExecStart=/usr/local/bin/appboot run \(manifest)
    # The launch can write to its state directory and to its own /tmp, and to nothing else.
    StateDirectory=my-service
    StateDirectoryMode=0700
    Environment=APPBOOT_STATE=%S/my-service
    # Applies if the manifest has no timeout.
    TimeoutStartSec=90
    # Longer than the services need to stop.
    TimeoutStopSec=30
    # Restarts the unit if appboot is stopped, or a service stays unhealthy. TERM first stops the services in order.
    WatchdogSec=30
    WatchdogSignal=TERM
    # Sends TERM to appboot only, which stops the services in order.
    KillMode=mixed
    Restart=on-failure
    RestartSec=5
    # Another attempt cannot repair wrong arguments, an invalid manifest or a missing file.
    RestartPreventExitStatus=2 3 4
    NoNewPrivileges=yes
    ProtectSystem=strict
    ProtectHome=yes
    PrivateTmp=yes
    PrivateDevices=yes
    ProtectProc=invisible
    ProtectKernelTunables=yes
    ProtectKernelModules=yes
    ProtectKernelLogs=yes
    ProtectControlGroups=yes
    ProtectClock=yes
    ProtectHostname=yes
    RestrictSUIDSGID=yes
    RestrictRealtime=yes
    RestrictNamespaces=yes
    RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
    LockPersonality=yes
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    CapabilityBoundingSet=

    [Install]
    WantedBy=multi-user.target

    """
  }

  /// Returns a Kubernetes pod in which an init container runs the steps before the service.
  static func pod(_ manifest: String) -> String {
    """
    # docker build -t localhost/my-service . && kubectl apply -f pod.yaml
    apiVersion: v1
    kind: Pod
    metadata:
      name: my-service
      labels: { app: my-service }
    spec:
      restartPolicy: OnFailure
      # Longer than the services need to stop.
      terminationGracePeriodSeconds: 30
      securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 }
      volumes:
        - name: state
          emptyDir: {}
      initContainers:
        # The main container starts only if this step and all that it needs succeed.
        - name: prepare
          image: localhost/my-service:latest
          imagePullPolicy: IfNotPresent
          args: [run, \(manifest), --to, database]
          terminationMessagePolicy: FallbackToLogsOnError
          env: &env
            - { name: APPBOOT_STATE, value: /state/launch }
          volumeMounts: &mounts
            - { name: state, mountPath: /state }
          securityContext: &security
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
      containers:
        - name: web
          image: localhost/my-service:latest
          imagePullPolicy: IfNotPresent
          args: [run, \(manifest), --only, web]
          terminationMessagePolicy: FallbackToLogsOnError
          env: *env
          volumeMounts: *mounts
          securityContext: *security
          # 45 attempts of 2 s: longer than the manifest's timeout.
          startupProbe:
            exec: { command: [appboot, status, --ready] }
            periodSeconds: 2
            failureThreshold: 45
          readinessProbe:
            exec: { command: [appboot, status, --ready] }

    """
  }
}
