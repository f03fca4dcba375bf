export * from './email-domains.ts'
export * from './organization.ts'
export * from './events.ts'
export * from './settings.ts'
