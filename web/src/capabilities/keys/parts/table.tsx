import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { combinationsOf, isAssignable, keyLabel } from '../../../platform/keys/keys.ts'
import { announce } from '../../../platform/overlay/announce.tsx'
import { offerUndo } from '../../../platform/undo.ts'
import { ownKeys } from '../../../platform/keys/choices.ts'
import { saveKeys, searchKeyMap, conflictingTitles, type MappedCommand } from '../map.ts'
import './keys.css'

export function KeyTable() {
  const [words, setWords] = useState('')
  const groups = searchKeyMap(words).filter(({ entries }) => entries.length > 0)
  const hasOwn = Object.keys(ownKeys.read()).length > 0
  return (
    <>
      <div class="key-tools">
        <FilterField label={t().keys.find} value={words} onChange={setWords} />
        <button class="button" disabled={!hasOwn} onClick={() => void resetAllKeys()}>
          {ta().keys.resetAll}
        </button>
      </div>
      {groups.map(({ id, title, entries }) => (
        <section key={id}>
          <h4>{title}</h4>
          <ul class="key-rows">
            {entries.map((entry) => (
              <KeyRow key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && <p class="note">{tl().palette.empty}</p>}
    </>
  )
}

async function resetAllKeys(): Promise<void> {
  const before = ownKeys.read()
  if ((await ownKeys.write({})) === 'refused') return
  offerUndo(ta().keys.wereReset, async () => ownKeys.write(before))
}

async function changeKeys(entry: MappedCommand, keys: readonly string[] | undefined): Promise<void> {
  const before = entry.isOwn ? entry.present : undefined
  if ((await saveKeys(entry, keys)) === 'refused') return
  offerUndo(entry.title, async () => saveKeys(entry, before), { isQuiet: true })
  announce(tl().settings.saved)
}

function KeyRow({ entry }: { readonly entry: MappedCommand }) {
  const [isRecording, setRecording] = useState(false)
  const changing = useRef<HTMLButtonElement>(null)
  const isDone = useRef(false)
  // Restores the focus, which was lost with the removed recorder.
  useLayoutEffect(() => {
    if (isRecording || !isDone.current) return
    isDone.current = false
    changing.current?.focus()
  })
  // Moves the focus, because the pressed button will disappear.
  const set = (keys: readonly string[] | undefined): void => {
    changing.current?.focus()
    void changeKeys(entry, keys)
  }
  const conflicts = entry.present.flatMap((key) =>
    conflictingTitles(key, entry).map((title) => ta().keys.conflict(keyLabel(key), title)),
  )
  return (
    <li class="key-row">
      <span class="key-title">{entry.title}</span>
      {isRecording ? (
        <KeyRecorder
          title={entry.title}
          onLeave={() => setRecording(false)}
          onDone={(key) => {
            isDone.current = true
            setRecording(false)
            if (key !== undefined) void changeKeys(entry, [key])
          }}
        />
      ) : (
        <>
          {entry.present.length === 0 ? <span class="note">{ta().keys.none}</span> : <Keys keys={entry.present} />}
          <button
            ref={changing}
            class="button"
            aria-label={ta().keys.changeOf(entry.title)}
            onClick={() => setRecording(true)}
          >
            {ta().keys.changeOne}
          </button>
        </>
      )}
      {entry.present.length > 0 && !isRecording && (
        <button class="button" aria-label={ta().keys.removeOf(entry.title)} onClick={() => set([])}>
          {ta().keys.remove}
        </button>
      )}
      {entry.isOwn && !isRecording && (
        <button class="button" aria-label={ta().keys.resetOf(entry.title)} onClick={() => set(undefined)}>
          {ta().keys.reset}
        </button>
      )}
      {conflicts.map((text) => (
        <p key={text} class="key-conflict">
          {text}
        </p>
      ))}
    </li>
  )
}

interface KeyRecorderProps {
  readonly title: string
  readonly onDone: (key: string | undefined) => void
  readonly onLeave: () => void
}

/** Escape and Tab leave the recorder, so that the focus is not trapped. */
function KeyRecorder({ title, onDone, onLeave }: KeyRecorderProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [refused, setRefused] = useState<string>()
  useLayoutEffect(() => button.current?.focus(), [])
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') {
      onDone(undefined)
      return
    }
    const [combination] = combinationsOf(event)
    if (combination === undefined) return
    if (isAssignable(combination)) onDone(combination)
    else setRefused(combination)
  }
  return (
    <button
      ref={button}
      class="button key-recorder"
      aria-label={ta().keys.recordOf(title)}
      onKeyDown={onKey}
      onBlur={onLeave}
    >
      {refused === undefined ? ta().keys.record : ta().keys.refused(keyLabel(refused))}
    </button>
  )
}

export function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span class="key-labels">
      {keys.map((key) => (
        <kbd key={key}>{keyLabel(key)}</kbd>
      ))}
    </span>
  )
}
