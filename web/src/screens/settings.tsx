import type { RefObject } from 'preact'
import { useId, useLayoutEffect, useRef, useState, useMemo } from 'preact/hooks'
import { ConfirmDialog } from '../capabilities/sessions/parts/confirm-dialog.tsx'
import { ta } from '../kernel/administration.ts'
import { Finder } from '../kernel/finding.ts'
import { tl } from '../kernel/later-texts.ts'
import type { SettingsGroup, SettingsSection } from '../kernel/setting.ts'
import { t } from '../kernel/strings.ts'
import { FilterField } from '../platform/dom/filter-field.tsx'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { isNarrow } from '../platform/frame.ts'
import { LoadingRows } from '../platform/list/states.tsx'
import { announce } from '../platform/overlay/announce.tsx'
import { FOCUSABLE_SELECTOR, SettingRow } from '../platform/settings/row.tsx'
import { allSections, findableSettings, keyOfPage, type FindableSetting } from '../platform/settings/sections.ts'
import { Header } from './header.tsx'
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
  // Scrolls to the current page, because the list can be longer than the window. Going back to the list scrolls nothing.
  useLayoutEffect(() => {
    if (id !== undefined) parts.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [section])
  return (
    <>
      <Header
        title={isNarrow.value && id !== undefined && section !== undefined ? section.title() : tl().settings.title}
      />
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
        {section === undefined && (
          <div class="settings-section">{sections === undefined ? <LoadingRows rows={3} /> : <NotFoundNote />}</div>
        )}
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
      pressed = button === null ? undefined : { button, places: ancestorPlaces(button, root) }
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

function ancestorPlaces(button: Element, root: Element): PressedButton['places'] {
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
      const found = neighbor.matches(FOCUSABLE_SELECTOR) ? neighbor : neighbor.querySelector(FOCUSABLE_SELECTOR)
      if (found instanceof HTMLElement) return found
    }
  return undefined
}

const MAX_RESULTS = 50
/** Prefers a person's own settings to the defaults for new people, which have the same names. */
const OWNER_WEIGHTS = { person: 2, organization: 1 } as const

interface FoundPage {
  readonly section: SettingsSection
  readonly settings: readonly FindableSetting[]
  readonly best: string | undefined
}

interface SearchResultsProps {
  readonly sections: readonly SettingsSection[]
  readonly typed: string
  /** The open page and setting. */
  readonly section: SettingsSection | undefined
  readonly setting: string | undefined
}

function SearchResults({ sections, typed, section: shown, setting: sought }: SearchResultsProps) {
  const pages = useFoundPages(sections, typed)
  if (pages?.length === 0) return <p class="note settings-found-none">{t().nav.noMatch}</p>
  return pages?.map((page) => (
    <PageResults key={page.section.id} {...page} sought={page.section.id === shown?.id ? sought : undefined} />
  ))
}

function useFoundPages(sections: readonly SettingsSection[], typed: string): readonly FoundPage[] | undefined {
  const [pages, setPages] = useState<readonly FoundPage[]>()
  const texts = ta()
  const finder = useMemo(
    () => new Finder(findableSettings(sections), { weightOf: ({ section }) => OWNER_WEIGHTS[section.of] }),
    [texts, sections.length],
  )
  useLayoutEffect(() => {
    const aborter = new AbortController()
    void finder
      .find(typed, MAX_RESULTS, async () => Promise.resolve(), aborter.signal)
      .then((found) => {
        if (aborter.signal.aborted) return
        setPages(groupByPage(found.map(({ item }) => item)))
        announce(found.length === 0 ? t().nav.noMatch : tl().settings.found(found.length))
      })
    return () => aborter.abort()
  }, [finder, typed])
  return pages
}

function groupByPage(found: readonly FindableSetting[]): readonly FoundPage[] {
  const pages = new Set(found.map(({ section }) => section))
  return [...pages].map((section) => ({
    section,
    settings: found.filter((one) => one.section === section && one.setting !== undefined),
    best: found[0]?.key,
  }))
}

interface PageResultsProps extends FoundPage {
  readonly sought: string | undefined
}

function PageResults({ section, settings, best, sought }: PageResultsProps) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <h2 id={id} class="settings-found-page">
        <Link class={keyOfPage(section) === best ? 'is-best' : ''} to={{ view: 'settings', section: section.id }}>
          {section.title()}
          {section.of === 'organization' && <span class="note">{tl().settings.owners.organization}</span>}
        </Link>
      </h2>
      {settings.map(({ key, name, group, setting }) => (
        <Link
          key={key}
          class={key === best ? 'settings-found is-best' : 'settings-found'}
          to={{ view: 'settings', section: section.id, ...(setting === undefined ? {} : { setting }) }}
          current={setting === sought}
        >
          <span>{name}</span>
          {group !== undefined && <span class="note">{group}</span>}
        </Link>
      ))}
    </div>
  )
}

/** Arrow keys move from the search field to the best result, and between results; Enter in the field opens the best. */
function onSearchKey(event: KeyboardEvent, clear: () => void): void {
  const { currentTarget: parts, target } = event
  if (!(parts instanceof HTMLElement) || event.isComposing) return
  const isField = target instanceof HTMLInputElement
  const stops = [...parts.querySelectorAll<HTMLElement>('input[type=search], a')]
  const at = stops.findIndex((stop) => stop === target)
  const best = parts.querySelector<HTMLElement>('a.is-best')
  if (event.key === 'ArrowDown') (isField && best !== null ? best : stops[at + 1])?.focus()
  else if (event.key === 'ArrowUp') stops[at - 1]?.focus()
  else if (event.key === 'Enter' && isField) best?.click()
  else if (event.key === 'Escape' && isField && target.value !== '') clear()
  else return
  event.preventDefault()
  event.stopPropagation()
}
