import { caseKey } from '@parley/server/kernel/case-key'
import { computed } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { groupNamed } from '../../groups/state.ts'
import { EmojiSign } from '../../reactions/parts/emoji.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { PersonMark, PresenceDot, PresenceWord } from '../../users/parts/signs.tsx'
import { userById, userName } from '../../users/state.ts'
import { blankCode } from '../blanking.ts'
import type { Suggestion } from '../suggestions.ts'
import { uploadLinksIn } from '../upload-links.ts'
import './suggestion.css'

export function SuggestionLine(item: Suggestion) {
  const { userId, botId } = item
  return (
    <>
      {userId !== undefined && (
        <span class="person-picture">
          <Avatar userId={userId} size={22} />
          <PresenceDot userId={userId} />
        </span>
      )}
      {botId !== undefined && <Avatar userId={botId} size={22} />}
      {item.icon !== undefined && (
        <span class="suggestion-icon">
          <Icon name={item.icon} size={16} />
        </span>
      )}
      {item.emoji !== undefined && <EmojiSign emoji={item.emoji} />}
      <span class="option-label">
        <bdi>{item.label}</bdi>
        {item.hint !== undefined && <bdi class="suggestion-hint"> {item.hint}</bdi>}
      </span>
      {userId !== undefined && (
        <>
          <PresenceWord userId={userId} />
          <PersonMark userId={userId} />
          <RoleMark userId={userId} />
        </>
      )}
      {item.detail !== undefined && <span class="option-detail">{item.detail}</span>}
      {botId !== undefined && <span class="note suggestion-bot">{userName(botId)}</span>}
    </>
  )
}

function RoleMark({ userId }: { readonly userId: number }) {
  const person = userById(userId)
  if (person?.is_admin !== true || person.is_bot) return null
  return <span class="note person-mark">{t().people.roles[person.role]}</span>
}

interface NameMarksProps {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly text: string
}

/**
 * Tints the mentions and files of a field from behind it, in a copy of its text. The field keeps their markup, which the
 * browser's undo, copies, and drafts in other clients need.
 */
export function NameMarks({ field, text }: NameMarksProps) {
  const copy = useRef<HTMLDivElement>(null)
  const marks = marksIn(text)
  const isShown = marks.length > 0 && !forcedColors.matches
  useEffect(() => {
    const { current } = field
    if (!isShown || current === null) return undefined
    const follow = (): void => copy.current?.scrollTo(0, current.scrollTop)
    follow()
    current.addEventListener('scroll', follow, { passive: true })
    return () => current.removeEventListener('scroll', follow)
  }, [isShown])
  if (!isShown) return null
  return (
    <div ref={copy} class="composer-field name-marks" dir="auto" aria-hidden="true">
      {marks.map(([from, to], index) => [
        text.slice(marks[index - 1]?.[1] ?? 0, from),
        <mark>{text.slice(from, to)}</mark>,
      ])}
      {/* A space, because an empty last line would have no height. */}
      {`${text.slice(marks.at(-1)?.[1])} `}
    </div>
  )
}

/** Forced colors would show the copy's text. */
const forcedColors = window.matchMedia('(forced-colors: active)')

type Mark = readonly [from: number, to: number]

const MENTION = /@_?\*(?:\*([^*|\n]{1,100})(?:\|(\d{1,15}))?\*|([^*\n]{1,100}))\*/g
const WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream', 'topic'])

const nameKeys = computed(
  () =>
    new Set(
      store()
        .read('realm_users')
        .map(({ full_name: name }) => caseKey(name)),
    ),
)

/** Finds the mentions of people, groups, and everyone that the server will recognize, and the files. */
function marksIn(text: string): readonly Mark[] {
  // Most texts have neither, and finding code takes longer.
  if (!/@_?\*|\]\(/.test(text)) return []
  const mentions = [...blankCode(text).matchAll(MENTION)].filter(isKnown)
  const marks = [
    ...mentions.map(({ 0: { length }, index }): Mark => [index, index + length]),
    ...uploadLinksIn(text).map(({ from, to }): Mark => [from, to]),
  ].toSorted(([one], [other]) => one - other)
  return marks.filter(([from], index) => from >= (marks[index - 1]?.[1] ?? 0))
}

function isKnown([, name = '', id, group]: RegExpExecArray): boolean {
  if (group !== undefined) return groupNamed(group) !== undefined
  if (id !== undefined) return caseKey(userById(Number(id))?.full_name ?? '') === caseKey(name)
  return WILDCARDS.has(name) || nameKeys.value.has(caseKey(name))
}
