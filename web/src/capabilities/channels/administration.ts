export { MailAddress } from './parts/mail-address.tsx'
export { Permissions } from './parts/permissions.tsx'
