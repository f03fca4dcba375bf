import { useState } from 'preact/hooks'
import type { Route } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { sync } from '../../platform/client.ts'
import { useFetched } from '../../platform/list/fetched.ts'
import { go, shownRoute } from '../../platform/router.ts'
import { SignIn, type SignInProps } from '../sign-in.tsx'
import { readPublicOrganization } from './organization.ts'
import { SpectatorFrame } from './views.tsx'

/** Shows web-public channels at their URLs, and the sign-in form at all others. */
export function SignedOut(props: SignInProps) {
  const hasBeenSignedIn = sync.cursor !== undefined
  return props.note === undefined && !hasBeenSignedIn && isReadable(shownRoute()) ? (
    <SpectatorEntry {...props} />
  ) : (
    <SignIn {...props} />
  )
}

function isReadable({ view }: ReturnType<typeof shownRoute>): boolean {
  const { pathname, hash } = window.location
  // At the root, only legacy links have a fragment. Those to web-public channels are rare.
  if (pathname === '/') return hash === ''
  return ['channels', 'channel', 'channel-feed', 'topic', 'search'].includes(view)
}

const HOME: Route = { view: 'channels' }

function SpectatorEntry(props: SignInProps) {
  const here = window.location.pathname + window.location.search
  // Back and links leave the form, because it belongs to an address.
  const [signInAt, setSignInAt] = useState(takeSignInRequest)
  const { value: organization, hasFailed } = useFetched(readPublicOrganization, 'organization')
  const route = shownRoute()
  // The form reports failures, and tries again.
  if (organization === 'private' || hasFailed) return <SignIn {...props} />
  if (organization === undefined) return <p class="starting">{t().app.loading}</p>
  const isUnknown = 'channelId' in route && organization.channels.every(({ stream_id: id }) => id !== route.channelId)
  if (signInAt === here || isUnknown) {
    const goOn = (): void => {
      setSignInAt(undefined)
      if (isUnknown) go(HOME)
    }
    return <SignIn {...props} onBack={goOn} />
  }
  return <SpectatorFrame organization={organization} home={HOME} signIn={() => setSignInAt(here)} />
}

const SIGN_IN_FRAGMENT = '#sign-in'

/** Returns the URL at which a link of a public page asks to sign in, without the fragment that says so. */
function takeSignInRequest(): string | undefined {
  const { pathname, search, hash } = window.location
  if (hash !== SIGN_IN_FRAGMENT) return undefined
  window.history.replaceState(window.history.state, '', pathname + search)
  return pathname + search
}
