import { useState } from 'preact/hooks'
import { signInWithPasskey, supportsPasskeys } from '../../capabilities/passkeys/actions.ts'
import { ts } from '../../kernel/later-texts.ts'
import { reasonOf } from '../../platform/requests.ts'
import { openClient, signInWithoutOtherTabs } from './signed-in.ts'

interface PasskeyButtonProps {
  /** Called instead of opening the client. The caller must then make other tabs drop their data. */
  readonly onSignedIn?: () => void
}

export function PasskeyButton({ onSignedIn }: PasskeyButtonProps) {
  const [failure, setFailure] = useState<string>()
  if (!supportsPasskeys()) return null
  const signIn = async (): Promise<void> => {
    setFailure(undefined)
    try {
      const answer = await (onSignedIn === undefined ? signInWithoutOtherTabs(signInWithPasskey) : signInWithPasskey())
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
