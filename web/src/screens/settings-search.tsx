import { useId, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { ta } from '../kernel/administration.ts'
import { Finder } from '../kernel/finding.ts'
import { tl } from '../kernel/later-texts.ts'
import type { SettingsSection } from '../kernel/setting.ts'
import { t } from '../kernel/strings.ts'
import { Link } from '../platform/dom/link.tsx'
import { announce } from '../platform/overlay/announce.tsx'
import { findableSettings, keyOfPage, type FindableSetting } from '../platform/settings/sections.ts'

const MAX_RESULTS = 50
/** Prefers a person's own settings to the defaults for new people, which have the same names. */
const OWNER_WEIGHTS = { person: 2, organization: 1 } as const

interface FoundPage {
  readonly section: SettingsSection
  readonly settings: readonly FindableSetting[]
  /** Key of the best of all results. */
  readonly best: string | undefined
}

interface SearchResultsProps {
  readonly sections: readonly SettingsSection[]
  readonly typed: string
  /** The open page and setting. */
  readonly section: SettingsSection | undefined
  readonly setting: string | undefined
}

export function SearchResults({ sections, typed, section: shown, setting: sought }: SearchResultsProps) {
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
    () => new Finder(findableSettings(sections), ({ section }) => OWNER_WEIGHTS[section.of]),
    [texts, sections.length],
  )
  useLayoutEffect(() => {
    const aborter = new AbortController()
    void finder
      .find(typed, MAX_RESULTS, async () => Promise.resolve(), aborter.signal)
      .then((found) => {
        if (aborter.signal.aborted) return
        setPages(groupByPage(found))
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
export function onSearchKey(event: KeyboardEvent, clear: () => void): void {
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
