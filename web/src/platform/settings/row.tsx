import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { Setting } from '../../kernel/setting.ts'
import { navigationCount } from '../router.ts'
import { useSavedChoice } from './choosing.tsx'
import { TextEditor } from './text-editor.tsx'
import './settings.css'

export const FOCUSABLE_SELECTOR = ':is(button, input, select, textarea):not(:disabled, [hidden], [type=file]), a[href]'

interface SettingRowProps {
  readonly setting: Setting
  readonly isSought: boolean
}

export function SettingRow({ setting, isSought }: SettingRowProps) {
  const row = useRef<HTMLDivElement>(null)
  const id = useId()
  const choosing = useSavedChoice(setting.title)
  // Opening the same setting again, for example from the search results, scrolls to it again.
  const arrival = isSought ? navigationCount.value : undefined
  useEffect(() => {
    const { current: element } = row
    return arrival === undefined || element === null ? undefined : revealSetting(element)
  }, [arrival])
  const note = [setting.note?.(), setting.fixed?.()].filter((text) => text !== undefined).join(' ')
  const noteId = note === '' ? undefined : `${id}-note`
  return (
    <div
      ref={row}
      class={isSought ? 'setting is-sought' : 'setting'}
      data-kind={kindOf(setting)}
      data-setting={setting.id}
      tabIndex={isSought ? -1 : undefined}
    >
      <div class="setting-text">
        {setting.kind === 'part' && setting.isSentence === true ? null : (
          <SettingTitle setting={setting} id={id}>
            {choosing.said}
          </SettingTitle>
        )}
        {noteId !== undefined && (
          <p id={noteId} class="setting-note">
            {note}
          </p>
        )}
      </div>
      <div class="setting-control">
        <SettingControl setting={setting} id={id} noteId={noteId} choosing={choosing} />
      </div>
      {choosing.refusal}
    </div>
  )
}

/** Scrolls to a setting and focuses its control, which can load later. @returns function that stops waiting for it */
function revealSetting(row: HTMLElement): () => void {
  const focusControl = (): boolean => {
    const control = row.querySelector<HTMLElement>(FOCUSABLE_SELECTOR)
    control?.focus()
    return control !== null
  }
  const observer = new MutationObserver(() => {
    if (document.activeElement !== row || focusControl()) observer.disconnect()
  })
  row.scrollIntoView({ block: 'center' })
  if (!focusControl()) {
    row.focus()
    observer.observe(row, { childList: true, subtree: true })
  }
  return () => observer.disconnect()
}

function kindOf(setting: Setting): string {
  if (setting.kind !== 'part') return setting.kind
  if (setting.isSentence === true) return 'sentence'
  return setting.isBeside === true ? 'beside' : 'part'
}

/** Title of a setting. Settings of kind `part` label their own controls. */
function SettingTitle({
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

interface SettingControlProps {
  readonly setting: Setting
  readonly id: string
  readonly noteId: string | undefined
  readonly choosing: ReturnType<typeof useSavedChoice>
}

function SettingControl({ setting, id, noteId, choosing }: SettingControlProps) {
  if (setting.kind === 'part') return <setting.Part />
  const isFixed = setting.fixed?.() !== undefined
  if (setting.kind === 'text') {
    return (
      <TextEditor
        id={id}
        label={setting.title()}
        describedBy={noteId}
        value={setting.text()}
        maxLength={setting.maxLength}
        isLong={setting.isLong}
        isRequired={setting.isRequired}
        isFixed={isFixed}
        inputMode={setting.inputMode}
        save={async (text) => {
          const written = await setting.save(text)
          choosing.showResult(written)
          return written
        }}
      />
    )
  }
  if (setting.kind === 'switch')
    return (
      <input
        id={id}
        class="switch"
        type="checkbox"
        role="switch"
        aria-describedby={noteId}
        disabled={isFixed}
        checked={setting.isOn()}
        onChange={(event) => {
          const isOn = event.currentTarget.checked
          void choosing.choose(
            async () => setting.turn(isOn),
            async () => setting.turn(!isOn),
          )
        }}
      />
    )
  return <Selection setting={setting} id={id} noteId={noteId} choosing={choosing} />
}

interface SelectionProps extends Omit<SettingControlProps, 'setting'> {
  readonly setting: Extract<Setting, { readonly kind: 'select' }>
}

function Selection({ setting, id, noteId, choosing }: SelectionProps) {
  const select = useRef<HTMLSelectElement>(null)
  const isFixed = setting.fixed?.() !== undefined
  const suggestion = isFixed ? undefined : setting.suggestion?.()
  const choose = (key: string): void => {
    const before = setting.chosen()
    void choosing.choose(
      async () => setting.choose(key),
      async () => setting.choose(before),
    )
  }
  return (
    <>
      <select
        ref={select}
        id={id}
        class="input"
        aria-describedby={noteId}
        disabled={isFixed}
        value={setting.chosen()}
        onChange={({ currentTarget: { value } }) => choose(value)}
      >
        {setting.options().map(({ key, title }) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </select>
      {suggestion !== undefined && (
        <button
          class="button"
          type="button"
          onClick={() => {
            // Moves the focus first, because the choice removes the button.
            select.current?.focus()
            choose(suggestion.key)
          }}
        >
          {suggestion.title}
        </button>
      )}
    </>
  )
}
