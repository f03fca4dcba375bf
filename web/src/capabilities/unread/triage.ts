import { signal, effect } from '@preact/signals'
import type { Command } from '../../kernel/capability.ts'
import { placeKey, conversationOf } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { prefetchMessages } from '../../platform/prefetch.ts'
import { shownRoute } from '../../platform/router.ts'
import { unreadConversations, nextUnread, type UnreadConversation } from './state.ts'

/** Steps in the order of their buttons. */
export const TRIAGE_STEPS = ['done', 'later', 'mute', 'skip', 'send', 'back'] as const
export type TriageStep = (typeof TRIAGE_STEPS)[number]

const STEP_SHORTCUTS: Readonly<Record<TriageStep, Pick<Command, 'id' | 'keys'>>> = {
  done: { id: 'triage.done', keys: ['e'] },
  later: { id: 'triage.later', keys: ['h'] },
  mute: { id: 'triage.mute', keys: ['m'] },
  skip: { id: 'triage.skip', keys: ['n', 'ArrowRight'] },
  send: { id: 'triage.send', keys: ['Ctrl+Shift+Enter'] },
  back: { id: 'triage.back', keys: ['ArrowLeft'] },
}

export const triage = signal<
  | {
      readonly run: (step: TriageStep) => void
      readonly can: (step: TriageStep) => boolean
      readonly leave: () => void
    }
  | undefined
>(undefined)

export function commandOf(step: TriageStep): Command {
  return {
    ...STEP_SHORTCUTS[step],
    title: () => `${t().nav.triage}: ${t().triage[step]}`,
    when: () => triage.value?.can(step) === true,
    run: () => triage.value?.run(step),
  }
}

export const TRIAGE_COMMANDS: readonly Command[] = [
  ...TRIAGE_STEPS.map(commandOf),
  {
    id: 'triage.leave',
    title: () => `${t().nav.triage}: ${t().triage.leave}`,
    keys: ['Escape'],
    when: () => triage.value !== undefined,
    run: () => triage.value?.leave(),
  },
]

export function triageQueue(without: ReadonlySet<string>): readonly UnreadConversation[] {
  const waiting = unreadConversations.value.filter(({ place, isMuted }) => !isMuted && !without.has(placeKey(place)))
  const isMine = ({ place, mentions }: UnreadConversation): boolean => place.view === 'direct' || mentions > 0
  return [...waiting.filter(isMine), ...waiting.filter((one) => !isMine(one))]
}

const PREFETCH_DELAY_MILLISECONDS = 1_000

export function prefetchNext(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const route = shownRoute()
    const here = route.view === 'not-found' ? undefined : conversationOf(route)
    const next = here === undefined ? undefined : nextUnread(new Set([placeKey(here)]))
    clearTimeout(timer)
    if (next !== undefined) timer = setTimeout(() => prefetchMessages(next), PREFETCH_DELAY_MILLISECONDS)
  })
}
