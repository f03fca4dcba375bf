/* Bundled with the settings pages: see `APART` in `web/build.js`. */
export { MailAddress } from './parts/mail-address.tsx'
export { Permissions } from './parts/permissions.tsx'
