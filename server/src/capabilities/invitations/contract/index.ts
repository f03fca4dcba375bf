export * from './invites.ts'
export * from './joining.ts'
