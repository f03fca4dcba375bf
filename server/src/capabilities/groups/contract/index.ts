export * from './administering.ts'
export * from './events.ts'
export * from './groups.ts'
export * from './records.ts'
