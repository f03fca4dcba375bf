import { useEffect } from 'preact/hooks'
import type { Entrance } from '../../kernel/entrance.ts'
import { loadEntranceTexts } from '../../kernel/entrance-texts.ts'
import { loadSecurityTexts } from '../../kernel/security-texts.ts'
import { lazily } from '../../platform/dom/lazy.tsx'
import { speakOfRefusals } from '../../platform/refusals.ts'
import { Email } from './email.tsx'
import { Join } from './join.tsx'
import { Openid } from './openid.tsx'
import { Password } from './password.tsx'
import { SetUp } from './set-up.tsx'
import { Unsubscribe } from './unsubscribe.tsx'

/** @returns the page component after loading its texts */
export async function loadEntrancePage(): Promise<typeof EntrancePage> {
  await Promise.all([loadEntranceTexts(), speakOfRefusals()])
  return EntrancePage
}

const SecondFactor = lazily(async () => {
  await loadSecurityTexts()
  return (await import('./second-factor.tsx')).SecondFactor
})
const SecondFactorSetup = lazily(async () => {
  await loadSecurityTexts()
  return (await import('./second-factor.tsx')).SecondFactorSetup
})
const SecondFactorPasskey = lazily(async () => {
  await loadSecurityTexts()
  return (await import('./second-factor.tsx')).SecondFactorPasskey
})

function EntrancePage({ entrance }: { readonly entrance: Entrance }) {
  useEffect(() => {
    // Another link may differ only in its `#` part, for which the browser does not reload.
    const again = (): void => window.location.reload()
    window.addEventListener('hashchange', again)
    return () => window.removeEventListener('hashchange', again)
  }, [])
  switch (entrance.page) {
    case 'setup':
      return <SetUp token={entrance.token} />
    case 'join':
      return <Join token={entrance.token} />
    case 'password':
      return <Password token={entrance.token} />
    case 'email':
      return <Email token={entrance.token} />
    case 'openid':
      return <Openid token={entrance.token} />
    case 'unsubscribe':
      return <Unsubscribe token={entrance.token} />
    case 'second-factor':
      return <SecondFactor token={entrance.token} />
    case 'second-factor-setup':
      return <SecondFactorSetup token={entrance.token} />
    case 'second-factor-passkey':
      return <SecondFactorPasskey />
  }
}
