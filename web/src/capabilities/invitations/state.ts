import { call, type Answer } from '@parley/client'
import { invitations } from '@parley/server/contract'
import { useEffect } from 'preact/hooks'
import { ta, loadAdministration } from '../../kernel/administration.ts'
import { sync } from '../../platform/client.ts'
import { useFetched } from '../../platform/list/fetched.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { go, shownRoute } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { isAdministrator } from '../users/state.ts'
import { affectsInvitations, waitingCount } from './inviting.ts'

type ListedInvite = Answer<typeof invitations.getInvites>['invites'][number]
type InviteTerms = Answer<typeof invitations.getInviteTerms>['terms'][number]

type PendingRegistration = Answer<typeof invitations.getRegistrations>['registrations'][number]

export type Invite = ListedInvite & Omit<InviteTerms, 'id'>

export interface Invites {
  readonly all: readonly Invite[]
  /** Whether the server sends email; otherwise, the inviter shares links. */
  readonly sendsEmail: boolean
  readonly waiting: readonly PendingRegistration[]
}

export function inviteTitle({ email, is_multiuse: isLink }: Invite): string {
  return isLink ? ta().invitations.link : (email ?? '')
}

async function fetchPendingRegistrations(signal?: AbortSignal): Promise<readonly PendingRegistration[]> {
  if (!isAdministrator()) return []
  return (await call(SESSION, invitations.getRegistrations, {}, signal === undefined ? {} : { signal })).registrations
}

export async function fetchInvites(signal: AbortSignal): Promise<Invites> {
  const [{ invites }, { terms, sends_email: sendsEmail }, waiting] = await Promise.all([
    call(SESSION, invitations.getInvites, {}, { signal }),
    call(SESSION, invitations.getInviteTerms, {}, { signal }),
    fetchPendingRegistrations(signal),
  ])
  const termsOf = new Map(terms.map(({ id, ...granted }) => [id, granted]))
  const all = invites.flatMap((one) => {
    const granted = termsOf.get(one.id)
    // The invitation changed between the two requests. An event will follow.
    return granted === undefined ? [] : [{ ...one, ...granted }]
  })
  return { all: all.toSorted((one, other) => other.invited - one.invited || other.id - one.id), sendsEmail, waiting }
}

export function useInvites(): ReturnType<typeof useFetched<Invites>> {
  const asked = useFetched(fetchInvites, 'invites')
  useEffect(() => {
    const ends = [
      sync.listen((event, touched) => {
        if (affectsInvitations(event, touched)) asked.again()
      }),
      sync.onBeginning(() => asked.again()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  return asked
}

export const WAITING_PAGE = { view: 'settings', section: 'invitations' } as const

let closeToast: (() => boolean) | undefined
let updateCount = 0
/** Whether a new person has asked to join since the last request to the server. */
let hasNewPerson = false

/** Updates the number of waiting people, and the toast about them. @param isMore whether a new person is waiting */
export async function updateWaitingPeople(isMore: boolean): Promise<void> {
  hasNewPerson ||= isMore
  updateCount += 1
  const time = updateCount
  const waiting = await fetchPendingRegistrations()
  if (waiting.length > 0) await loadAdministration()
  if (time !== updateCount) return
  waitingCount.value = waiting.length
  const isNews = hasNewPerson
  hasNewPerson = false
  const wasThere = closeToast?.() === true
  closeToast = undefined
  if (!isNews && !wasThere) return
  const [newest] = waiting
  const route = shownRoute()
  if (newest === undefined || (route.view === WAITING_PAGE.view && route.section === WAITING_PAGE.section)) return
  const text =
    waiting.length === 1
      ? ta().invitations.waits(newest.email)
      : ta().invitations.wait(newest.email, waiting.length - 1)
  closeToast = toast(text, { title: ta().invitations.toWaiting, run: () => go(WAITING_PAGE), stays: true })
}
