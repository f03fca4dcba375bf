import { TestAuthenticator } from '../../../testing/authenticator.ts'
import type { TestUser } from '../../../testing/user.ts'

export function originOf({ url, host }: Pick<TestUser, 'url' | 'host'>): string {
  return `http://${host}:${new URL(url).port}`
}

export async function makePasskey(user: TestUser, password = ''): Promise<{ id: number; device: TestAuthenticator }> {
  const device = new TestAuthenticator(originOf(user))
  const { options } = await user.call('POST', '/passkeys/begin', { password })
  const { passkey_id: id } = await user.call('POST', '/passkeys', { name: 'Phone', credential: device.make(options) })
  return { id: id, device }
}
