import { TestUser } from '../../server/src/testing/user.ts'
import { retryUntilSuccess, type RetryContext } from './requests.ts'
import { OWNER } from './server-process.ts'

/**
 * Logs in with an email address and the shared password, even if the server dies several times before it succeeds.
 * @param host the organization's host name, if different from the server's
 */
export async function logIn(
  url: string,
  patience: RetryContext,
  email: string = OWNER.email,
  { host }: { readonly host: string } = new URL(url),
): Promise<TestUser> {
  const stranger = new TestUser(url, host, '', '', 0)
  const login = { username: email, password: OWNER.password }
  const { api_key, user_id } = await retryUntilSuccess(stranger, 'POST', '/fetch_api_key', login, patience)
  return new TestUser(url, host, email, api_key, user_id)
}
