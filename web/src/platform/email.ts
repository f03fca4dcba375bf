import { store } from './client.ts'

/** Whether the server sends email: the digest flag is false only on servers without email. */
export function sendsEmail(): boolean {
  return store().read('settings_send_digest_emails')
}
