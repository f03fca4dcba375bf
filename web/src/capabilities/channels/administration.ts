export { Permissions } from './parts/permissions.tsx'
