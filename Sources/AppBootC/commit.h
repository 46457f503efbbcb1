// The commit of a release. Scripts/release sets it: -Xcc -DAPPBOOT_COMMIT=... An ordinary build has none.

#ifndef APPBOOT_COMMIT_H
#define APPBOOT_COMMIT_H

#ifdef APPBOOT_COMMIT
#define APPBOOT_TEXT_OF(text) #text
#define APPBOOT_TEXT(text) APPBOOT_TEXT_OF(text)
static inline const char *_Nonnull appboot_commit(void) { return "+" APPBOOT_TEXT(APPBOOT_COMMIT); }
#else
static inline const char *_Nonnull appboot_commit(void) { return ""; }
#endif

#endif
