import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Setting, Written } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { announce } from '../overlay/announce.tsx'
import { undoable } from '../undo.ts'
import './settings.css'

/** How long a setting says that it was saved. */
const SAID_MILLISECONDS = 4_000

interface SettingRowProps {
  readonly setting: Setting
  /** It is the one that was looked for. */
  readonly isSought: boolean
}

/** A setting with its control. What is chosen counts at once, and the row says so. */
export function SettingRow({ setting, isSought }: SettingRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const id = useId()
  const [said, say] = useSaid()
  useEffect(() => {
    if (!isSought) return
    row.current?.scrollIntoView({ block: 'center' })
    row.current?.querySelector<HTMLElement>('input, select, button, a')?.focus()
  }, [isSought])
  const write = async (choice: Promise<Written>, inverse: () => Promise<Written>): Promise<void> => {
    const written = await choice
    say(written)
    if (written !== 'refused') undoable(setting.title(), inverse, { isQuiet: true })
  }
  const note = setting.note?.()
  return (
    <div ref={row} class={isSought ? 'setting is-sought' : 'setting'} data-kind={setting.kind}>
      <Name setting={setting} id={id}>
        {said !== undefined && <span class="setting-said">{said}</span>}
      </Name>
      {note !== undefined && (
        <p id={`${id}-note`} class="setting-note">
          {note}
        </p>
      )}
      <div class="setting-control">
        <Control setting={setting} id={id} noteId={note === undefined ? undefined : `${id}-note`} onChosen={write} />
      </div>
    </div>
  )
}

/** A part names its controls itself. */
function Name({
  setting,
  id,
  children,
}: {
  readonly setting: Setting
  readonly id: string
  readonly children: ComponentChildren
}) {
  return (
    <div class="setting-name">
      {setting.kind === 'part' ? <h3>{setting.title()}</h3> : <label for={id}>{setting.title()}</label>}
      {children}
    </div>
  )
}

interface ControlProps {
  readonly setting: Setting
  readonly id: string
  readonly noteId: string | undefined
  /** @param inverse chooses what was chosen before */
  readonly onChosen: (choice: Promise<Written>, inverse: () => Promise<Written>) => Promise<void>
}

function Control({ setting, id, noteId, onChosen }: ControlProps) {
  if (setting.kind === 'part') return <setting.Part />
  if (setting.kind === 'switch')
    return (
      <input
        id={id}
        class="switch"
        type="checkbox"
        role="switch"
        aria-describedby={noteId}
        checked={setting.isOn()}
        onChange={(event) => {
          const isOn = event.currentTarget.checked
          void onChosen(setting.turn(isOn), async () => setting.turn(!isOn))
        }}
      />
    )
  return (
    <select
      id={id}
      class="input"
      aria-describedby={noteId}
      value={setting.chosen()}
      onChange={(event) => {
        const before = setting.chosen()
        void onChosen(setting.choose(event.currentTarget.value), async () => setting.choose(before))
      }}
    >
      {setting.options().map(({ key, title }) => (
        <option key={key} value={key}>
          {title}
        </option>
      ))}
    </select>
  )
}

/** What became of the last choice, for a while; screen readers hear it too. */
function useSaid(): [string | undefined, (written: Written) => void] {
  const [said, setSaid] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const say = (written: Written): void => {
    clearTimeout(timer.current)
    // A refusal is told as such where it comes from.
    const text = { saved: t().settings.saved, waits: t().settings.waits, refused: undefined }[written]
    setSaid(text)
    if (text === undefined) return
    announce(text)
    timer.current = setTimeout(() => setSaid(undefined), SAID_MILLISECONDS)
  }
  return [said, say]
}
