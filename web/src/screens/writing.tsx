import { drafts } from '@parley/server/contract'
import { t } from '../kernel/strings.ts'
import { short } from '../kernel/time.ts'
import { Icon } from '../platform/dom/icons.tsx'
import { Link } from '../platform/dom/link.tsx'
import { toast } from '../platform/overlay/toasts.tsx'
import { ask } from '../platform/requests.ts'
import { allDrafts, placeOfDraft } from '../capabilities/drafts/state.ts'
import { placeName, placeTitle } from '../capabilities/places/title.tsx'
import { Header } from './header.tsx'

type Draft = ReturnType<typeof allDrafts>[number]

/** What was begun and not sent. */
export function WritingView() {
  const all = allDrafts().toSorted((one, other) => other.timestamp - one.timestamp)
  return (
    <>
      <Header title={t().nav.writing} />
      <div class="view-scroll">
        {all.length === 0 ? (
          <div class="empty">
            <Icon name="writing" size={40} />
            <strong>{t().writing.empty}</strong>
          </div>
        ) : (
          <div class="topics">
            <ul>
              {all.map((draft) => (
                <DraftRow key={draft.id} draft={draft} />
              ))}
            </ul>
          </div>
        )}
      </div>
    </>
  )
}

function DraftRow({ draft }: { readonly draft: Draft }) {
  const place = placeOfDraft(draft)
  const remove = async (): Promise<void> => {
    if ((await ask(drafts.deleteDraft, { draft_id: draft.id })) === undefined) return
    const { type, to, topic, content, timestamp } = draft
    const again = { type, to: [...to], topic, content, timestamp }
    toast(t().writing.deleted, () => void ask(drafts.createDrafts, { drafts: [again] }))
  }
  const name = place === undefined ? t().writing.nowhere : placeName(place)
  return (
    <li class="browse-row">
      <span class="browse-text">
        {place === undefined ? <strong>{name}</strong> : <Link to={place}>{placeTitle(place)}</Link>}
        <span class="note">
          <bdi>{draft.content}</bdi>
        </span>
      </span>
      <span class="note">{short(draft.timestamp)}</span>
      <button class="icon-button" aria-label={`${t().writing.delete}: ${name}`} onClick={() => void remove()}>
        <Icon name="delete" />
      </button>
    </li>
  )
}
