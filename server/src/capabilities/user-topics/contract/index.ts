export * from './muted-topics.ts'
export * from './user-topics.ts'
