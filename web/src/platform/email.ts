import { store } from './client.ts'

/** Whether the server sends email. The digest flag is false only on servers that do not. */
export function sendsEmail(): boolean {
  return store().read('settings_send_digest_emails')
}
