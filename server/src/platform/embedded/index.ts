/** This module is bundled separately from the program, which loads later (see `ahead.ts`). */
export { makeTemporaryData, removeAbandonedDirectory } from './aside.ts'
export { copyOwner, refuseForeignData } from './account.ts'
export { stopUnusedPostgres, openEmbeddedPostgres, startPostgresAhead } from './ahead.ts'
export { installedPackage, findInstalledPackage, PLATFORM_PACKAGE, type InstalledPackage } from './binaries.ts'
export { DataDirectoryInUseError, lockDataDirectory } from './lock.ts'
export { parseMajorVersion, readClusterMajorVersion } from './start.ts'
export { findRunningPostgres } from './server.ts'
export { startOlderPostgres } from './start.ts'
