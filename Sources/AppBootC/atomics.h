// Atomic loads and stores for signal handlers, because a handler must not take a lock. Swift's `Atomic` needs iOS 18.

#ifndef APPBOOT_ATOMICS_H
#define APPBOOT_ATOMICS_H

#include <stdint.h>

static inline uint64_t appboot_load(const uint64_t *_Nonnull value) {
  return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static inline void appboot_store(uint64_t *_Nonnull value, uint64_t newValue) {
  __atomic_store_n(value, newValue, __ATOMIC_RELEASE);
}

#endif
