import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { passkeys } from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'

/* WebAuthn requests. The library encodes as JSON the byte arrays that older browsers return. */

/** Whether the browser supports passkeys, which requires HTTPS. */
export function knowsPasskeys(): boolean {
  return 'PublicKeyCredential' in window
}

type CreatedCredential = Input<typeof passkeys.createPasskey>['credential']
type SignedCredential = Input<typeof passkeys.finishPasskeyLogin>['credential']

/** @returns undefined if the user cancels or no device can create a passkey */
export async function askToMake(options: object): Promise<CreatedCredential | undefined> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  // Safe: the server created them with the other half of the library.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return unlessStopped(async () => startRegistration({ optionsJSON }))
}

/** @returns undefined if the user cancels or no device has a passkey */
export async function askToSign(options: object): Promise<SignedCredential | undefined> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  // Safe: created by the server, as above.
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return unlessStopped(async () => startAuthentication({ optionsJSON }))
}

async function unlessStopped<Answered>(ask: () => Promise<Answered>): Promise<Answered | undefined> {
  try {
    return await ask()
  } catch (error) {
    // WebAuthn error names: canceled or timed out, already registered, or navigation away.
    const isStopped =
      error instanceof Error && ['NotAllowedError', 'InvalidStateError', 'AbortError'].includes(error.name)
    if (isStopped) return undefined
    throw error
  }
}
