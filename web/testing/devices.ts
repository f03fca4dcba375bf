import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import type { PushDevice } from '../../server/src/testing/push-receiver.ts'

/** Virtual authenticator, which stores passkeys in the browser and accepts every verification. */
export interface VirtualAuthenticator {
  readonly debug: CDPSession
  readonly id: string
}

export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('WebAuthn.enable')
  const { authenticatorId: id } = await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { debug, id }
}

/** Makes a browser subscribe with a test device's keys, because tests cannot reach a browser vendor's push service. */
export async function subscribeAs(context: BrowserContext, { subscription }: PushDevice): Promise<void> {
  await context.grantPermissions(['notifications'])
  await context.addInitScript(({ endpoint, ...keys }) => {
    const made = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: () => Promise.resolve(true) }
    let current: typeof made | null = null
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(current),
      subscribe: () => {
        current = made
        return Promise.resolve(made)
      },
    })
  }, subscription)
}
