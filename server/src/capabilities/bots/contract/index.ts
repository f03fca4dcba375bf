export * from './bots.ts'
export * from './events.ts'
export * from './storage.ts'
