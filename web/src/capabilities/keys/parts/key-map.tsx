import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { Link } from '../../../platform/dom/link.tsx'
import { Keys } from './table.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { searchKeyMap } from '../map.ts'
import './keys.css'

export function KeyMap({ onClose }: { readonly onClose: () => void }) {
  const [words, setWords] = useState('')
  const groups = searchKeyMap(words, true)
    .map((group) => ({ ...group, entries: group.entries.filter(({ present }) => present.length > 0) }))
    .filter(({ entries }) => entries.length > 0)
  return (
    <Dialog title={t().keys.title} class="key-map" onClose={onClose}>
      <div class="key-tools">
        <FilterField label={t().keys.find} value={words} onChange={setWords} autofocus />
        <button class="button" onClick={() => window.print()}>
          {t().keys.print}
        </button>
      </div>
      {groups.map(({ id, title, entries }) => (
        <section key={id}>
          <h3>{title}</h3>
          <dl class="key-list">
            {entries.map(({ id: of, title: name, present }) => (
              <div key={of}>
                <dt>{name}</dt>
                <dd>
                  <Keys keys={present} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {groups.length === 0 && <p class="note">{tl().palette.empty}</p>}
      <p class="key-change" onClick={onClose}>
        <Link to={{ view: 'settings', section: 'keys' }}>{t().keys.change}</Link>
      </p>
    </Dialog>
  )
}
