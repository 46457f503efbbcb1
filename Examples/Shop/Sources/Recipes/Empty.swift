import AppBoot
