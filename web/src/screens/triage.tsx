import { useComputed } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isEvent } from '@parley/client'
import { messageEdits } from '@parley/server/contract'
import { tl } from '../kernel/later-texts.ts'
import { parseMove } from '../kernel/message.ts'
import { placeKey } from '../kernel/route.ts'
import { t } from '../kernel/strings.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { afterPaint } from '../platform/dom/painted.ts'
import { keyHintOf } from '../platform/keys/keys.ts'
import { announce } from '../platform/overlay/announce.tsx'
import { toast, Toasts } from '../platform/overlay/toasts.tsx'
import { prefetchMessages } from '../platform/prefetch.ts'
import { goBack } from '../platform/router.ts'
import { canSend, sendComposition } from '../capabilities/composer/actions.ts'
import { currentComposition } from '../capabilities/composer/state.ts'
import { Composer } from '../capabilities/composer/parts/composer.tsx'
import { MessageList } from '../capabilities/messages/parts/list.tsx'
import { placeName, placeTitle } from '../capabilities/places/title.tsx'
import {
  canMute,
  muteConversation,
  muteTitle,
  readConversation,
  remindOfConversation,
} from '../capabilities/unread/actions.ts'
import { Badge } from '../capabilities/unread/badge.tsx'
import type { UnreadConversation } from '../capabilities/unread/state.ts'
import { sync } from '../platform/client.ts'
import { openSessions, removeAction, undoneActions, type UndoableAction } from '../platform/undo.ts'
import { commandOf, TRIAGE_STEPS, triage, triageQueue, type TriageStep } from '../capabilities/unread/triage.ts'
import './triage.css'

interface TriagedConversation {
  readonly conversation: UnreadConversation
  readonly isRead: boolean
}

const MINUTE_MILLISECONDS = 60_000

interface TriageSession {
  readonly current: UnreadConversation | undefined
  readonly handled: readonly TriagedConversation[]
  readonly remainingCount: number
  readonly session: ActionSession
  /** Step whose button keeps the focus in the next conversation, because the person chose it with the keyboard. */
  readonly focusedStep: string | undefined
  readonly run: (step: TriageStep) => void
  readonly can: (step: TriageStep) => boolean
}

/** Events do not replace the current conversation: it stays until the user continues. */
function useTriage(): TriageSession {
  const [handled, setHandled] = useState<readonly TriagedConversation[]>([])
  const [current, setCurrent] = useState<UnreadConversation | undefined>(() => triageQueue(new Set())[0])
  const [session] = useState(beginSession)
  const focusedStep = useRef<string>(undefined)
  const without = new Set(handled.map(({ conversation }) => placeKey(conversation.place)))
  if (current !== undefined) without.add(placeKey(current.place))
  const queue = triageQueue(without)
  const [next] = queue
  const goToNext = (isRead: boolean): void => {
    if (current === undefined) return
    focusedStep.current = document.querySelector<HTMLElement>('[data-step]:focus-visible')?.dataset['step']
    setHandled([...handled, { conversation: current, isRead }])
    setCurrent(next)
  }
  const finish = (one: UnreadConversation): void => {
    void readConversation(one)
    goToNext(true)
  }
  const steps: Readonly<Record<TriageStep, (one: UnreadConversation) => void>> = {
    done: (one) => {
      // In the next conversation's place for toasts, where screen readers announce it.
      if (canSendAnswer()) afterPaint(() => session.toast(tl().triage.answerKept))
      finish(one)
    },
    later: (one) =>
      remindOfConversation(one, document.querySelector<HTMLElement>('[data-step=later]') ?? undefined, () =>
        finish(one),
      ),
    mute: (one) => {
      muteConversation(one)
      goToNext(false)
    },
    skip: () => goToNext(false),
    send: (one) => {
      if (currentComposition.value !== undefined && sendComposition(currentComposition.value)) finish(one)
    },
    back: () => {
      setCurrent(handled.at(-1)?.conversation)
      setHandled(handled.slice(0, -1))
    },
  }
  useEffect(() => () => session.end(), [session])
  useEffect(
    () =>
      sync.listen((event) => {
        const move = isEvent(event, messageEdits.messageUpdated) ? parseMove(event) : undefined
        if (move?.isWhole !== true) return
        const { from, to } = move
        const follow = (one: UnreadConversation): UnreadConversation =>
          placeKey(one.place) === placeKey(from) ? { ...one, place: to } : one
        setCurrent((one) => one && follow(one))
        setHandled((all) => all.map((one) => ({ ...one, conversation: follow(one.conversation) })))
      }),
    [],
  )
  useEffect(() => {
    if (next !== undefined) prefetchMessages(next.place)
  }, [next === undefined ? '' : placeKey(next.place)])
  return {
    current,
    handled,
    remainingCount: queue.length,
    session,
    focusedStep: focusedStep.current,
    run: (step) => {
      session.closeToasts()
      if (current !== undefined) steps[step](current)
    },
    can: (step) => {
      if (current === undefined || (step === 'back' && handled.length === 0)) return false
      if (step === 'send') return canSendAnswer()
      return step !== 'mute' || canMute(current)
    },
  }
}

function canSendAnswer(): boolean {
  return currentComposition.value !== undefined && canSend(currentComposition.value)
}

export function TriageView() {
  const going = useTriage()
  const { current, handled, remainingCount, run, can } = going
  // Uses a layout effect, because keys must work as soon as the conversation is visible.
  useLayoutEffect(() => {
    triage.value = { run, can, leave: goBack }
  })
  useEffect(
    () => () => {
      triage.value = undefined
    },
    [],
  )
  const total = handled.length + remainingCount + (current === undefined ? 0 : 1)
  return (
    <div class="triage">
      <header class="triage-head">
        {current !== undefined && (
          <button class="button" disabled={!can('back')} onClick={() => run('back')}>
            <Icon name="back" size={16} />
            {t().triage.back}
          </button>
        )}
        <h1>{t().nav.triage}</h1>
        <progress aria-label={tl().triage.progress} value={handled.length} max={Math.max(1, total)} />
        {current !== undefined && <span class="note">{tl().triage.left(remainingCount)}</span>}
        <button class="icon-button triage-exit" aria-label={t().triage.leave} title={t().triage.leave} onClick={goBack}>
          <Icon name="close" />
        </button>
      </header>
      {current === undefined ? (
        <TriageEnd going={going} />
      ) : (
        <CurrentConversation key={current.lastId} going={going} current={current} />
      )}
    </div>
  )
}

function CurrentConversation({
  going,
  current,
}: {
  readonly going: TriageSession
  readonly current: UnreadConversation
}) {
  const { focusedStep, run, can } = going
  const { place } = current
  // Uses a computed signal, so that typing does not rerender the messages.
  const canSendNow = useComputed(() => can('send')).value
  const steps = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In the list, Space and the arrow keys scroll. On a message, the keys of its actions would hide those of triage.
    const button = steps.current?.querySelector<HTMLElement>(`[data-step="${focusedStep ?? ''}"]`)
    const list = document.querySelector<HTMLElement>('.triage .list')
    ;(button ?? list)?.focus({ preventScroll: true })
    announce(placeName(place))
  }, [])
  return (
    <>
      <div class="triage-place">
        <h2>
          <Link to={place}>{placeTitle(place)}</Link>
        </h2>
        <Badge {...current} />
      </div>
      <MessageList place={place} near={undefined} marksNothing />
      <Composer of={place} />
      <div class="triage-foot">
        <Toasts />
        <div ref={steps} class="triage-steps" role="group" aria-label={tl().triage.actions}>
          {TRIAGE_STEPS.filter((step) => step !== 'back' && (step === 'send' ? canSendNow : can(step))).map((step) => (
            <button
              key={step}
              data-step={step}
              class={step === (canSendNow ? 'send' : 'done') ? 'button primary' : 'button'}
              onClick={() => run(step)}
            >
              {step === 'mute' ? muteTitle(current) : t().triage[step]}
              <StepKey step={step} />
            </button>
          ))}
        </div>
      </div>
    </>
  )
}

function StepKey({ step }: { readonly step: TriageStep }) {
  const hint = keyHintOf(commandOf(step))
  return hint === undefined ? null : <kbd aria-hidden="true">{hint}</kbd>
}

function TriageEnd({ going }: { readonly going: TriageSession }) {
  const { handled, session } = going
  const [began] = useState(() => performance.now())
  const [undoing, setUndoing] = useState<'no' | 'now' | 'done'>('no')
  const [refused, setRefused] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  if (handled.length === 0) {
    return (
      <div class="empty">
        <Icon name="check" size={40} />
        <h2 ref={heading} tabIndex={-1}>
          {tl().triage.nothing}
        </h2>
        <Link to={{ view: 'inbox' }} class="button">
          {t().triage.toInbox}
        </Link>
      </div>
    )
  }
  const read = handled.reduce((sum, { conversation, isRead }) => sum + (isRead ? conversation.count : 0), 0)
  const minutes = Math.round((began - session.began) / MINUTE_MILLISECONDS)
  const undoAll = async (): Promise<void> => {
    setUndoing('now')
    setRefused(await session.undoAll())
    setUndoing('done')
  }
  return (
    <div class="empty triage-end">
      <Icon name="check" size={40} />
      <h2 ref={heading} tabIndex={-1}>
        {tl().triage.title}
      </h2>
      <span role="status">
        {undoing === 'done' ? undoResultText(refused) : tl().triage.summary(read, handled.length, minutes)}
      </span>
      <div class="triage-last">
        {undoing !== 'done' && (
          <button class="button" disabled={undoing === 'now'} onClick={() => void undoAll()}>
            {undoing === 'now' ? tl().triage.undoing : tl().triage.undoAll}
          </button>
        )}
        <Link to={{ view: 'inbox' }} class="button primary">
          {t().triage.toInbox}
        </Link>
      </div>
    </div>
  )
}

function undoResultText(refused: number): string {
  return refused === 0 ? tl().triage.undone : tl().triage.undoneNotAll(refused)
}

interface ActionSession {
  readonly began: number
  readonly end: () => void
  readonly toast: (text: string) => void
  /** Closes the toasts about earlier conversations. */
  readonly closeToasts: () => void
  /** Undoes the last action first. @returns the number of failures */
  readonly undoAll: () => Promise<number>
}

function beginSession(): ActionSession {
  const done: UndoableAction[] = []
  let closeNote = (): boolean => false
  openSessions.add(done)
  return {
    began: performance.now(),
    end: () => void openSessions.delete(done),
    toast: (text) => {
      closeNote = toast(text)
    },
    closeToasts: () => {
      closeNote()
      for (const action of done) action.dismiss()
    },
    undoAll: async () => {
      let refused = 0
      for (const action of done.toReversed()) {
        if (undoneActions.has(action)) continue
        removeAction(action)
        try {
          await action.inverse()
          undoneActions.add(action)
        } catch {
          refused += 1
        }
      }
      return refused
    },
  }
}
