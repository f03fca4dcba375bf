import { computed, signal, useComputed, type Signal } from '@preact/signals'
import type { DOMAttributes } from 'preact'
import type { MessageAction, Point } from '../../../kernel/capability.ts'
import { isMention, type Message } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { timeOfDay, fullTime } from '../../../kernel/time.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { keysOf } from '../../../platform/keys/choices.ts'
import { combinationsOf, isWriting, recordShortcut, findByKeys } from '../../../platform/keys/keys.ts'
import { menuRowId } from '../../../platform/overlay/menu.tsx'
import { allCapabilities } from '../../../platform/registry.ts'
import { wasMoved } from '../../message-edits/rules.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { PersonMark } from '../../users/parts/signs.tsx'
import { openPerson } from '../../users/card.ts'
import { focusedMessageId } from '../read-tracker.ts'
import { Fold } from './fold.tsx'
import { Content, MeMessage } from './shown.tsx'
import { actionsFor, openActions, Toolbar } from './toolbar.tsx'

/** Set while the pointer moves over a message, until a key is pressed. Its toolbar replaces the focused message's. */
const hoveredMessageId = signal<number | undefined>(undefined)
/** Message that contains the focus, or from which the focus moved into an overlay. */
const enteredMessageId = signal<number | undefined>(undefined)
/** The message of an open menu keeps its toolbar, so that it stays recognizable. */
const toolbarMessageId = computed(() =>
  menuRowId.value === undefined ? (hoveredMessageId.value ?? enteredMessageId.value) : Number(menuRowId.value),
)

interface RowProps {
  readonly message: Signal<Message>
  /** False for all messages of an author's block except the first. */
  readonly hasHead: boolean
  readonly isInTabOrder: boolean
  readonly marked?: string | undefined
  readonly isSought: boolean
}

export function Row({ message: { value: message }, hasHead, isInTabOrder, marked, isSought }: RowProps) {
  const isActive = useComputed(() => toolbarMessageId.value === message.id).value
  const cover = firstDefined(allCapabilities().map(({ messageCover }) => messageCover?.(message)))
  const classes = [
    'message',
    cover === undefined ? hasHead && 'has-head' : 'is-covered',
    isMention(message) && 'is-mention',
    !message.flags.includes('read') && 'is-unread',
    isSought && 'is-sought',
    isActive && 'is-active',
  ]
  const time = timeOfDay(message.timestamp)
  return (
    <article
      class={classes.filter(Boolean).join(' ')}
      data-row={message.id}
      tabIndex={isInTabOrder ? 0 : -1}
      aria-label={t().messages.by(cover === undefined ? message.sender_full_name : t().people.mutedPerson, time)}
      {...rowListeners(message, cover !== undefined)}
    >
      <div class="message-side">
        {hasHead && cover === undefined ? (
          <Picture message={message} />
        ) : (
          <span class="message-clock" aria-hidden="true">
            {time}
          </span>
        )}
      </div>
      <div class="message-main">
        {cover ?? (
          <>
            {hasHead && !message.is_me_message && (
              <div class="message-head">
                <Author message={message} />
                <PersonMark userId={message.sender_id} />
                <Time seconds={message.timestamp} />
              </div>
            )}
            <Body message={message} marked={marked} isSought={isSought} />
          </>
        )}
      </div>
      {cover === undefined && isActive && <Toolbar message={message} />}
    </article>
  )
}

/** Omits menu and key listeners for a hidden message, whose only control is its button. */
function rowListeners(message: Message, isCovered: boolean): DOMAttributes<HTMLElement> {
  const { id } = message
  const seen: DOMAttributes<HTMLElement> = {
    onFocusIn: () => {
      focusedMessageId.value = id
      enteredMessageId.value = id
      hoveredMessageId.value = undefined
    },
    onFocusOut: ({ relatedTarget, currentTarget: row }) => {
      const isElsewhere =
        relatedTarget instanceof Element
          ? !row.contains(relatedTarget) && relatedTarget.closest('[popover], dialog') === null
          : document.hasFocus()
      if (isElsewhere && enteredMessageId.value === id) enteredMessageId.value = undefined
    },
    // Scrolling by key also moves messages under the pointer, but without this event.
    onPointerMove: ({ pointerType, currentTarget: row }) => {
      // A tap hovers before it clicks, and would click the toolbar that appears under the finger.
      if (pointerType === 'touch' || hoveredMessageId.value === id) return
      const { activeElement } = document
      // A menu returns the focus to the toolbar that opened it.
      if (activeElement?.matches('[popover] *') === true) return
      // The focus stays on its message when the toolbar there disappears.
      if (!row.contains(activeElement))
        activeElement?.closest('.message-toolbar')?.closest<HTMLElement>('[data-row]')?.focus()
      hoveredMessageId.value = id
    },
    onPointerLeave: () => {
      if (hoveredMessageId.value === id) hoveredMessageId.value = undefined
    },
  }
  if (isCovered) return seen
  return {
    ...seen,
    onContextMenu: (event) => {
      if (!(event.target instanceof Element) || event.target.closest('a, img, textarea') !== null) return
      if (window.getSelection()?.isCollapsed === false) return
      event.preventDefault()
      openActions(message, event.currentTarget, { x: event.clientX, y: event.clientY })
    },
    onPointerDown: (event) => {
      const { currentTarget: row } = event
      onLongPress(event, (at) => openActions(message, row, at))
    },
    onKeyDown: (event) => onRowKey(event, message),
  }
}

function onRowKey(event: KeyboardEvent, message: Message): void {
  hoveredMessageId.value = undefined
  if (isWriting(event.target) || !(event.currentTarget instanceof HTMLElement)) return
  const combinations = combinationsOf(event)
  const hasKeys = (one: MessageAction): boolean => keysOf(one).some((key) => combinations.includes(key))
  const action = findByKeys(actionsFor(message, hasKeys), combinations)
  if (action === undefined || (combinations[0] === 'Enter' && event.target !== event.currentTarget)) return
  recordShortcut(action.title(message))
  action.run(message, event.currentTarget)
  event.preventDefault()
  event.stopPropagation()
}

/** Stays out of the tab order, because keyboard users open the card from the name beside the picture. */
function Picture({ message: { sender_id: userId, sender_full_name: name } }: { readonly message: Message }) {
  return (
    <button
      class="message-picture"
      tabIndex={-1}
      data-person={userId}
      aria-label={t().people.pictureOf(name)}
      onClick={(event) => openPerson(event.currentTarget, userId)}
    >
      <Avatar userId={userId} />
    </button>
  )
}

function Author({ message: { sender_id: userId, sender_full_name: name } }: { readonly message: Message }) {
  return (
    <button
      class="message-author"
      data-person={userId}
      aria-label={t().people.open(name)}
      onClick={(event) => openPerson(event.currentTarget, userId)}
    >
      <bdi>{name}</bdi>
    </button>
  )
}

function Time({ seconds }: { readonly seconds: number }) {
  return (
    <time class="message-time" dateTime={new Date(seconds * 1000).toISOString()} title={fullTime(seconds)}>
      {timeOfDay(seconds)}
    </time>
  )
}

const HIGHLIGHT_ATTRIBUTE = 'class="highlight"'

function Body({ message, marked, isSought }: Pick<RowProps, 'marked' | 'isSought'> & { readonly message: Message }) {
  const parts = allCapabilities()
  const body = firstDefined(parts.map(({ messageBody }) => messageBody?.(message)))
  return (
    <>
      {body ?? (
        <>
          <Fold id={message.id} isSought={isSought || marked?.includes(HIGHLIGHT_ATTRIBUTE) === true}>
            {message.is_me_message ? (
              <MeMessage
                author={<Author message={message} />}
                html={marked ?? message.content}
                time={<Time seconds={message.timestamp} />}
              />
            ) : (
              <Content html={marked ?? message.content} />
            )}
          </Fold>
          <MessageMarks message={message} />
        </>
      )}
      {parts.map(({ name, messageFooter }) => {
        const footer = messageFooter?.(message)
        return footer === undefined ? null : <div key={name}>{footer}</div>
      })}
    </>
  )
}

function firstDefined<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  return values.find((value) => value !== undefined)
}

function MessageMarks({ message }: { readonly message: Message }) {
  const isStarred = message.flags.includes('starred')
  const { last_edit_timestamp: edited, last_moved_timestamp: moved } = message
  const isMoved = edited === undefined && wasMoved(message)
  if (!isStarred && edited === undefined && !isMoved) return null
  return (
    <div class="message-marks">
      {isStarred && (
        <span class="message-star">
          <Icon name="starred" size={13} />
          {t().messages.starred}
        </span>
      )}
      {edited !== undefined && <span title={fullTime(edited)}>{t().messages.edited}</span>}
      {isMoved && moved !== undefined && <span title={fullTime(moved)}>{t().messages.moved}</span>}
    </div>
  )
}

const LONG_PRESS_MILLISECONDS = 500
const LONG_PRESS_TOLERANCE_PIXELS = 10

/** Calls `pressed` after a long press, but not on links and pictures, which keep the browser's own menu. */
function onLongPress(event: PointerEvent, pressed: (at: Point) => void): void {
  const { pointerType, target, clientX: x, clientY: y } = event
  if (pointerType !== 'touch' || !(target instanceof Element)) return
  if (target.closest('a, img, button, textarea') !== null) return
  const listening = new AbortController()
  const end = (): void => {
    clearTimeout(timer)
    listening.abort()
  }
  const timer = setTimeout(() => {
    end()
    suppressNextClick()
    pressed({ x, y })
  }, LONG_PRESS_MILLISECONDS)
  const options = { signal: listening.signal }
  const moved = (now: PointerEvent): void => {
    if (Math.hypot(now.clientX - x, now.clientY - y) > LONG_PRESS_TOLERANCE_PIXELS) end()
  }
  window.addEventListener('pointermove', moved, options)
  for (const type of ['pointerup', 'pointercancel', 'scroll']) {
    window.addEventListener(type, end, { ...options, capture: true })
  }
}

/** Some browsers fire a click when the finger lifts, which would choose a menu item below it. */
function suppressNextClick(): void {
  const listening = new AbortController()
  const options = { capture: true, once: true, signal: listening.signal }
  window.addEventListener('pointerdown', () => listening.abort(), options)
  window.addEventListener(
    'click',
    (event) => {
      event.preventDefault()
      event.stopPropagation()
      listening.abort()
    },
    options,
  )
}
