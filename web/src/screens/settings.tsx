import type { SettingsSection } from '../kernel/setting.ts'
import { t } from '../kernel/strings.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { Waiting } from '../platform/list/states.tsx'
import { SettingRow } from '../platform/settings/row.tsx'
import { allSections, groupsOf } from '../platform/settings/sections.ts'
import { Header } from './header.tsx'
import './settings.css'

interface SettingsProps {
  readonly section: string | undefined
  /** The one that was looked for. */
  readonly setting: string | undefined
}

/** How the client looks and behaves for the one who uses it: the pages that capabilities declare. Each choice counts at once. */
export function SettingsView({ section: id, setting }: SettingsProps) {
  const sections = allSections()
  const section = sections.find((one) => one.id === (id ?? sections[0]?.id))
  return (
    <>
      <Header title={t().settings.title} />
      <div class={id === undefined ? 'settings' : 'settings has-section'}>
        <nav class="settings-sections" aria-label={t().settings.sections}>
          {sections.map((one) => (
            <Link key={one.id} to={{ view: 'settings', section: one.id }} current={one === section}>
              <Icon name={one.icon} size={17} />
              {one.title()}
            </Link>
          ))}
        </nav>
        {section === undefined ? <Absent /> : <Section key={section.id} section={section} sought={setting} />}
      </div>
    </>
  )
}

function Absent() {
  return (
    <div class="empty">
      <strong>{t().app.notFound}</strong>
      <Link to={{ view: 'settings' }}>{t().settings.allSections}</Link>
    </div>
  )
}

function Section({ section, sought }: { readonly section: SettingsSection; readonly sought: string | undefined }) {
  const groups = groupsOf(section)
  return (
    <div class="settings-section">
      <Link class="settings-back" to={{ view: 'settings' }}>
        <Icon name="back" size={16} />
        {t().settings.allSections}
      </Link>
      <h2>{section.title()}</h2>
      {groups?.some(({ settings }) => settings.some(({ kind }) => kind !== 'part')) === true && (
        <p class="note">{t().settings.atOnce}</p>
      )}
      {groups?.map(({ title, settings }, index) => (
        <div key={index} class="settings-group">
          {title !== undefined && <h3>{title()}</h3>}
          <div class="settings-rows">
            {settings
              .filter(({ when }) => when?.() ?? true)
              .map((setting) => (
                <SettingRow key={setting.id} setting={setting} isSought={setting.id === sought} />
              ))}
          </div>
        </div>
      )) ?? <Waiting rows={3} />}
    </div>
  )
}
