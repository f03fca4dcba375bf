import { useState } from 'preact/hooks'
import { signInWithPasskey } from '../../capabilities/passkeys/actions.ts'
import { knowsPasskeys } from '../../capabilities/passkeys/devices.ts'
import { ts } from '../../kernel/security-texts.ts'
import { reasonOf } from '../../platform/requests.ts'
import { openClient, signInAlone } from './signed-in.ts'

interface PasskeyButtonProps {
  /** For a page of the client itself, which lets the other tabs go by itself. */
  readonly onSignedIn?: () => void
}

/** Signs in with a passkey, where the browser knows of them. */
export function PasskeyButton({ onSignedIn }: PasskeyButtonProps) {
  const [failure, setFailure] = useState<string>()
  if (!knowsPasskeys()) return null
  const signIn = async (): Promise<void> => {
    setFailure(undefined)
    try {
      const answer = await (onSignedIn === undefined ? signInAlone(signInWithPasskey) : signInWithPasskey())
      // Where the person stopped it, there is nothing to say.
      if (answer === undefined) return
      if (onSignedIn === undefined) openClient()
      else onSignedIn()
    } catch (error) {
      setFailure(reasonOf(error))
    }
  }
  return (
    <>
      <button class="button" type="button" onClick={() => void signIn()}>
        {ts().passkeys.signIn}
      </button>
      <p class="sign-in-failure" role="alert">
        {failure}
      </p>
    </>
  )
}
