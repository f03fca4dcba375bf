export * from './organization.ts'
export * from './personal.ts'
