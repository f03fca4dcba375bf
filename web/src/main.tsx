// Imported first, because it declares the order of the CSS layers.
import './styles/base.css'
import './styles/content.css'
import './styles/print.css'
import { call, type ApiEvent } from '@parley/client'
import { sessions } from '@parley/server/contract'
import { render } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { effect, signal } from '@preact/signals'
import { capabilities } from './capabilities.ts'
import { showStoredAppearance } from './capabilities/appearance/state.ts'
import { channelName } from './capabilities/channels/state.ts'
import { refuseDroppedFiles } from './capabilities/composer/pasting.ts'
import type { Capability } from './kernel/capability.ts'
import { signedOutPageAt } from './kernel/entrance.ts'
import { isPlace, placeKey, type Place } from './kernel/route.ts'
import { t } from './kernel/strings.ts'
import { watchDate } from './kernel/time.ts'
import { installServiceWorker, watchBuild } from './platform/build.ts'
import { deleteState } from './platform/cache.ts'
import { persistence, messages, sync } from './platform/client.ts'
import { listenForKeys } from './platform/keys/keys.ts'
import { pauseRenderingWhileHidden, runWhenIdle } from './platform/dom/idle.ts'
import { lazily, withPart } from './platform/dom/lazy.tsx'
import type { PendingResponse } from './platform/messages/reading.ts'
import { prefetchLinkTargets } from './platform/prefetch.ts'
import { addCapabilities, installCapabilities } from './platform/registry.ts'
import { deleteReturnAddress } from './platform/return-address.ts'
import { followHistory, setChannelNames, replaceEntryUrl, shownRoute } from './platform/router.ts'
import { isSignedIn } from './platform/sync/registration.ts'
import { signInExclusively, waitForSignIn } from './platform/sync/signing-in.ts'
import { SESSION } from './platform/sync/sync.ts'
import { App } from './screens/app.tsx'
import { Connection } from './screens/connection.tsx'
import { keepDocumentTitleCurrent } from './screens/title.ts'

const SignedOutPages = lazily(
  async () => (await import('./screens/entrance/entrance.tsx')).loadSignedOutPages(),
  () => <p class="starting">{t().app.loading}</p>,
)

const SignedOut = lazily(
  async () => (await import('./screens/spectator/signed-out.tsx')).SignedOut,
  () => <p class="starting">{t().app.loading}</p>,
)

/** Shown in the sign-in form if a sign-in link failed. */
const signInNote = signal<string | undefined>(undefined)

function Root() {
  const { value: status } = sync.status
  if (status === 'signed-out')
    return <SignedOut note={signInNote.value} onSignedIn={() => void signInExclusively(() => sync.leave())} />
  if (status === 'live') return <SignedInClient />
  if (sync.refusal.value !== undefined) return <Connection />
  return <StartScreen />
}

/** If packets are lost, a request can hang without failing, so a notice appears after this time. */
const SLOW_START_NOTICE_DELAY_MILLISECONDS = 10_000

function StartScreen() {
  const [tries, setTries] = useState(0)
  const [lateTry, setLateTry] = useState<number>()
  useEffect(() => {
    const timer = setTimeout(() => setLateTry(tries), SLOW_START_NOTICE_DELAY_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [tries])
  const isHeld = sync.isRateLimited.value
  const isGone = !isHeld && (!sync.isConnected.value || lateTry === tries)
  const tryAgain = (): void => {
    setTries(tries + 1)
    sync.tryAgain()
  }
  return (
    <main class="starting">
      <h1 class="visually-hidden">{t().app.name}</h1>
      <p role="status">{isHeld ? t().app.held : isGone ? t().app.unreachable : t().app.loading}</p>
      {isGone && (
        <button class="button" onClick={tryAgain}>
          {t().app.retry}
        </button>
      )}
    </main>
  )
}

/** Deletes the previous user's data from the page and the browser when another user signs in. */
function reloadWhenUserChanges(): void {
  effect(() => {
    if (sync.status.value === 'left') void persistence.stop().then(() => window.location.reload())
  })
}

function SignedInClient() {
  // Uses a layout effect, because users can press keys as soon as they see the client.
  useLayoutEffect(() => {
    deleteReturnAddress()
    replaceEntryUrl()
    for (const capability of capabilities) capability.begin?.()
    listenForKeys()
    prefetchLinkTargets()
    watchBuild()
    watchDate()
    keepDocumentTitleCurrent()
    installServiceWorker()
    const earlier: ApiEvent[] = []
    const stopCollecting = sync.listen((event) => void earlier.push(event))
    runWhenIdle(pauseRenderingWhileHidden)
    runWhenIdle(() => {
      import('./platform/keys/stray.ts').then((part) => part.preventAccidentalShortcuts()).catch(() => undefined)
      import('./capabilities/measurements/collecting.ts').then((part) => part.startCollecting()).catch(() => undefined)
      // If loading fails offline, there are no server errors to translate either.
      import('./platform/refusals.ts').then(async (part) => part.loadRefusalTexts()).catch(() => undefined)
      addLateCapabilities(earlier, stopCollecting)
    })
  }, [])
  return <App />
}

/** @param earlier events received so far, until `stopCollecting` is called */
function addLateCapabilities(earlier: readonly ApiEvent[], stopCollecting: () => void): void {
  void withPart(
    loadLateCapabilities(earlier),
    (late) => {
      stopCollecting()
      addCapabilities(late)
    },
    stopCollecting,
  )
}

async function loadLateCapabilities(earlier: readonly ApiEvent[]): Promise<readonly Capability[]> {
  const [
    { createNotifications },
    { pins },
    { reminderMarks },
    { channelFolders },
    { reports },
    { community },
    { bans },
    { invitations },
    { jumps },
  ] = await Promise.all([
    import('./capabilities/notifications/index.ts'),
    import('./capabilities/pins/index.tsx'),
    import('./capabilities/reminders/marks.tsx'),
    import('./capabilities/channel-folders/index.tsx'),
    import('./capabilities/reports/index.tsx'),
    import('./capabilities/community/index.tsx'),
    import('./capabilities/bans/index.tsx'),
    import('./capabilities/invitations/index.ts'),
    import('./capabilities/messages/parts/jumps.tsx'),
  ])
  return [
    createNotifications(earlier),
    pins,
    reminderMarks,
    channelFolders,
    reports,
    community,
    bans,
    invitations,
    jumps,
  ]
}

/** Signs in with the token in the URL's `#link=` part, and removes it from the URL immediately. */
async function signInByLink(): Promise<void> {
  const [, token] = /^#link=([\w-]+)$/.exec(window.location.hash) ?? []
  if (token === undefined) return
  window.history.replaceState(null, '', '/')
  const signIn = async (): Promise<void> => {
    try {
      await call(SESSION, sessions.loginByLink, { token })
      await deleteState()
    } catch {
      signInNote.value = t().signIn.linkFailed
    }
  }
  await signInExclusively(signIn)
}

// The page waits for this script, so that its first paint has the last session's appearance.
const pendingAppearance = showStoredAppearance()

async function startClient(): Promise<void> {
  refuseDroppedFiles()
  await pendingAppearance
  const root = document.querySelector('#app')
  if (root === null) throw new Error('the page has no place for the client')
  const signedOutPage = signedOutPageAt(window.location)
  if (signedOutPage !== undefined) return render(<SignedOutPages page={signedOutPage} />, root)
  installCapabilities(capabilities, async () => (await import('./settings.ts')).loadSections())
  setChannelNames(channelName)
  followHistory()
  render(<Root />, root)
  reloadWhenUserChanges()
  await signInByLink()
  await waitForSignIn(() => sync.leave())
  globalThis.prefetched?.release()
  sync.onBeginning(() => globalThis.prefetched?.giveUp())
  const kept = await persistence.restore()
  const running = sync.run(kept, globalThis.prefetched?.answer)
  const route = shownRoute()
  const isPlain = route.view !== 'not-found' && isPlace(route) && route.view !== 'search' && route.near === undefined
  if (kept === undefined && isPlain && (await mayBeSignedIn())) messages.readFirst(route, prefetchedMessages(route))
  await running
}

/** Returns false if the prefetched registration reported that no one is signed in. */
async function mayBeSignedIn(): Promise<boolean> {
  const registered = await globalThis.prefetched?.answer
  return registered === undefined || isSignedIn(registered)
}

/** Returns messages that were requested before this script was loaded. */
function prefetchedMessages(place: Place): PendingResponse | undefined {
  const { prefetched } = globalThis
  const isOfThis = prefetched?.place !== undefined && placeKey(prefetched.place) === placeKey(place)
  return isOfThis ? prefetched.messages : undefined
}

void startClient()
