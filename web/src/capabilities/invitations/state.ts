import { call, type Answer } from '@parley/client'
import { invitations } from '@parley/server/contract'
import { useEffect } from 'preact/hooks'
import { ta } from '../../kernel/administration.ts'
import { sync } from '../../platform/client.ts'
import { useAsked } from '../../platform/list/asked.ts'
import { isAdministrator } from '../users/state.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { changesInvitations } from './waiting-count.ts'

type Listed = Answer<typeof invitations.getInvites>['invites'][number]
type Terms = Answer<typeof invitations.getInviteTerms>['terms'][number]

/** Somebody who wants to join without being invited. */
export type Waiting = Answer<typeof invitations.getRegistrations>['registrations'][number]

/** An invitation with what it grants. */
export type Invite = Listed & Omit<Terms, 'id'>

export interface Invites {
  readonly all: readonly Invite[]
  /** Whether the server sends e-mail: otherwise, whoever invites hands the links over. */
  readonly sendsEmail: boolean
  /** Addresses whose owners want to join and wait for the link, for administrators alone. */
  readonly waiting: readonly Waiting[]
}

/** Whom an invitation is for. */
export function titleOf({ email, is_multiuse: isLink }: Invite): string {
  return isLink ? ta().invitations.link : (email ?? '')
}

/** Those who wait for the link, the newest first; for administrators alone. */
export async function askWaiting(signal?: AbortSignal): Promise<readonly Waiting[]> {
  if (!isAdministrator()) return []
  return (await call(SESSION, invitations.getRegistrations, {}, signal === undefined ? {} : { signal })).registrations
}

async function ask(signal: AbortSignal): Promise<Invites> {
  const [{ invites }, { terms, sends_email: sendsEmail }, waiting] = await Promise.all([
    call(SESSION, invitations.getInvites, {}, { signal }),
    call(SESSION, invitations.getInviteTerms, {}, { signal }),
    askWaiting(signal),
  ])
  const termsOf = new Map(terms.map(({ id, ...granted }) => [id, granted]))
  const all = invites.flatMap((one) => {
    const granted = termsOf.get(one.id)
    // It ended between the two answers, or came; an event that tells of it is on its way.
    return granted === undefined ? [] : [{ ...one, ...granted }]
  })
  return { all: all.toSorted((one, other) => other.invited - one.invited || other.id - one.id), sendsEmail, waiting }
}

/** The invitations that one may see, the newest first. No state has them: an event says when they have to be asked for again. */
export function useInvites(): ReturnType<typeof useAsked<Invites>> {
  const asked = useAsked(ask, 'invites')
  useEffect(() => {
    const ends = [
      sync.hear((event, touched) => {
        if (changesInvitations(event, touched)) asked.again()
      }),
      sync.onBeginning(() => asked.again()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  return asked
}
