/** This module is bundled separately from the program, which loads later (see `ahead.ts`). */
export { makeTemporaryData, removeAbandonedDirectory } from './aside.ts'
export { copyOwner, refuseForeignData } from './account.ts'
export { stopUnusedPostgres, openEmbeddedPostgres, startPostgresAhead } from './ahead.ts'
export { installedPackage, packageOf, PLATFORM_PACKAGE, type InstalledPackage } from './binaries.ts'
export { DataDirectoryInUse, lockDataDirectory } from './lock.ts'
export { majorOf, majorOfCluster } from './start.ts'
export { runningPostgres } from './server.ts'
export { startOlderPostgres } from './start.ts'
