import { store } from './client.ts'

/** The digest flag is false only on servers that do not send email. */
export function sendsEmail(): boolean {
  return store().read('settings_send_digest_emails')
}
