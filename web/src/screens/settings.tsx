import type { RefObject } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ConfirmDialog } from '../capabilities/sessions/parts/confirm-dialog.tsx'
import type { SettingsGroup, SettingsSection } from '../kernel/setting.ts'
import { tl } from '../kernel/later-texts.ts'
import { t } from '../kernel/strings.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { FilterField } from '../platform/dom/filter-field.tsx'
import { Link } from '../platform/dom/link.tsx'
import { LoadingRows } from '../platform/list/states.tsx'
import { FOCUSABLE, SettingRow } from '../platform/settings/row.tsx'
import { allSections } from '../platform/settings/sections.ts'
import { Header } from './header.tsx'
import { onSearchKey, SearchResults } from './settings-search.tsx'
import './settings.css'

const SECTION_OWNERS = ['person', 'organization'] as const

interface SettingsProps {
  readonly section: string | undefined
  /** ID of the setting that the user searched for. */
  readonly setting: string | undefined
}

export function SettingsView({ section: id, setting }: SettingsProps) {
  const sections = allSections()
  const section = sections?.find((one) => one.id === (id ?? sections[0]?.id))
  const parts = useRef<HTMLElement>(null)
  const [typed, setTyped] = useState('')
  // Scrolls to the current page, because the list can be longer than the window.
  useLayoutEffect(() => {
    parts.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [section])
  return (
    <>
      <Header title={tl().settings.title} />
      <div class={id === undefined ? 'settings' : 'settings has-section'}>
        <nav
          ref={parts}
          class="settings-sections"
          aria-label={tl().settings.sections}
          onKeyDown={(event) => onSearchKey(event, () => setTyped(''))}
        >
          <div class="settings-search" role="search">
            <FilterField label={tl().settings.find} value={typed} onChange={setTyped} />
          </div>
          {sections === undefined && <LoadingRows rows={8} />}
          {sections !== undefined && typed.trim() !== '' ? (
            <SearchResults sections={sections} typed={typed.trim()} section={section} setting={setting} />
          ) : (
            SECTION_OWNERS.map((of) => <Sections key={of} of={of} all={sections ?? []} shown={section} />)
          )}
        </nav>
        {section !== undefined && <Section key={section.id} section={section} sought={setting} />}
        {section === undefined && (sections === undefined ? <LoadingRows rows={3} /> : <NotFoundNote />)}
      </div>
      <ConfirmDialog />
    </>
  )
}

interface SectionsProps {
  readonly of: SettingsSection['of']
  readonly all: readonly SettingsSection[]
  readonly shown: SettingsSection | undefined
}

function Sections({ of, all, shown }: SectionsProps) {
  const id = useId()
  const own = all.filter((section) => section.of === of)
  if (own.length === 0) return null
  return (
    <div role="group" aria-labelledby={id}>
      <h2 id={id}>{tl().settings.owners[of]}</h2>
      {own.map((section) => (
        <Link key={section.id} to={{ view: 'settings', section: section.id }} current={section === shown}>
          <Icon name={section.icon} size={17} />
          {section.title()}
          {section.Beside !== undefined && <section.Beside />}
        </Link>
      ))}
    </div>
  )
}

function NotFoundNote() {
  return (
    <div class="empty">
      <strong>{t().app.notFound}</strong>
      <Link to={{ view: 'settings' }}>{tl().settings.allSections}</Link>
    </div>
  )
}

function GroupNote({ note }: { readonly note: SettingsGroup['note'] }) {
  const text = note?.()
  return text === undefined ? null : <p class="note">{text}</p>
}

function Section({ section, sought }: { readonly section: SettingsSection; readonly sought: string | undefined }) {
  const { groups } = section
  const element = useRef<HTMLDivElement>(null)
  useFocusAfterRemoval(element, 'h2')
  return (
    <div ref={element} class="settings-section">
      <Link class="settings-back" to={{ view: 'settings' }}>
        <Icon name="back" size={16} />
        {tl().settings.allSections}
      </Link>
      <h2>{section.title()}</h2>
      {section.note !== undefined && <p class="note">{section.note()}</p>}
      {groups.map(({ title, note, settings }, index) => (
        <div key={index} class="settings-group">
          {title !== undefined && <h3>{title()}</h3>}
          <GroupNote note={note} />
          <div class="settings-rows">
            {settings
              .filter(({ when }) => when?.() ?? true)
              .map((setting) => (
                <SettingRow key={setting.id} setting={setting} isSought={setting.id === sought} />
              ))}
          </div>
        </div>
      ))}
    </div>
  )
}

interface PressedButton {
  readonly button: Element
  /** The button's ancestors, innermost first. `neighbors`: siblings of the child that is or contains the button. */
  readonly places: readonly { readonly parent: Element; readonly neighbors: readonly (Element | null)[] }[]
}

/** Focuses what follows a button that its own action removes, such as a row's "Remove". */
function useFocusAfterRemoval(container: RefObject<HTMLElement | null>, heading: string): void {
  useLayoutEffect(() => {
    const { current: root } = container
    if (root === null) return undefined
    let pressed: PressedButton | undefined
    const note = ({ target }: Event): void => {
      const button = target instanceof Element ? target.closest('button') : null
      pressed = button === null ? undefined : { button, places: placesOf(button, root) }
    }
    const observer = new MutationObserver(() => {
      if (pressed === undefined || pressed.button.isConnected) return
      const { activeElement, body } = document
      const next = activeElement === body ? focusTargetAfter(pressed) : undefined
      pressed = undefined
      const title = root.querySelector<HTMLElement>(heading)
      if (activeElement !== body) return
      if (next === undefined && title !== null) title.tabIndex = -1
      ;(next ?? title)?.focus()
    })
    root.addEventListener('click', note, { capture: true })
    observer.observe(root, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      root.removeEventListener('click', note, { capture: true })
    }
  }, [])
}

function placesOf(button: Element, root: Element): PressedButton['places'] {
  const places = []
  for (let part = button; part !== root && part.parentElement !== null; part = part.parentElement)
    places.push({ parent: part.parentElement, neighbors: [part.nextElementSibling, part.previousElementSibling] })
  return places
}

function focusTargetAfter({ places }: PressedButton): HTMLElement | undefined {
  const remaining = places.filter(({ parent }) => parent.isConnected)
  for (const { neighbors } of remaining)
    for (const neighbor of neighbors) {
      if (neighbor?.isConnected !== true) continue
      const found = neighbor.matches(FOCUSABLE) ? neighbor : neighbor.querySelector(FOCUSABLE)
      if (found instanceof HTMLElement) return found
    }
  return undefined
}
