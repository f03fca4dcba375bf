/** All that others use. It is built apart from the program, which is loaded later: see ahead.ts. */
export { makeAside } from './aside.ts'
export { refuseForeign } from './account.ts'
export { abandonAhead, embeddedPostgres, startAhead } from './ahead.ts'
export { DataDirectoryInUse } from './lock.ts'
export { runningPostgres } from './running.ts'
