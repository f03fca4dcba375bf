import { store } from './client.ts'

/** Whether the server sends e-mail: what it says of those about a week holds for all of them. */
export function sendsEmail(): boolean {
  return store().read('settings_send_digest_emails')
}
