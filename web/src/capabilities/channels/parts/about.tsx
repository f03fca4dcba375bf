import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { confirm } from '../../../platform/overlay/confirm.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { TextEditor } from '../../users/parts/text-editor.tsx'
import { archive, change } from '../actions.ts'
import { closeChannel } from '../open.ts'
import { kindOf, kindsToMake, type Kind } from '../rights.ts'
import { channelById } from '../state.ts'

/** What a channel is: its name, its description, its kind, its folder; and where it is archived. */
export function About({ channelId }: { readonly channelId: number }) {
  const [refusal, run] = useRefusal()
  const channel = channelById(channelId)
  if (channel === undefined) return null
  const folders = store()
    .read('channel_folders')
    .filter(({ is_archived }) => !is_archived)
  const { name, description, folder_id: folderId } = channel
  const kind = kindOf(channel)
  const kinds = [...new Set([kind, ...kindsToMake()])]
  return (
    <div class="form">
      <div class="field">
        <span>{t().channel.name}</span>
        <TextEditor
          label={t().channel.name}
          value={name}
          maxLength={store().read('max_stream_name_length')}
          isRequired
          save={async (text) => change(channelId, { new_name: text })}
        />
      </div>
      <div class="field">
        <span>{t().channel.description}</span>
        <TextEditor
          label={t().channel.description}
          value={description}
          maxLength={store().read('max_stream_description_length')}
          isLong
          save={async (text) => change(channelId, { description: text })}
        />
      </div>
      <label class="field">
        <span>{t().channel.kind}</span>
        <select
          class="input"
          value={kind}
          // Values are those of the options.
          onChange={({ currentTarget }) =>
            void run(async () => change(channelId, privacyOf(currentTarget.value as Kind)))
          }
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {t().channel.kinds[one]}
            </option>
          ))}
        </select>
      </label>
      {folders.length > 0 && (
        <label class="field">
          <span>{t().channel.folder}</span>
          <select
            class="input"
            value={folderId ?? ''}
            onChange={({ currentTarget: { value } }) =>
              void run(async () => change(channelId, { folder_id: value === '' ? null : Number(value) }))
            }
          >
            <option value="">{t().channel.noFolder}</option>
            {folders.map((folder) => (
              <option key={folder.id} value={folder.id}>
                {folder.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {refusal}
      <div class="dialog-actions">
        {channel.is_archived ? (
          <button class="button" onClick={() => void run(async () => change(channelId, { is_archived: false }))}>
            {t().channel.unarchive}
          </button>
        ) : (
          <button
            class="button danger"
            onClick={() => {
              closeChannel()
              confirm({
                text: t().channel.archiveSure(name),
                action: t().channel.archive,
                run: () => void archive(channelId),
              })
            }}
          >
            {t().channel.archive}
          </button>
        )}
      </div>
    </div>
  )
}

/** What makes a channel be of a kind. */
export function privacyOf(kind: Kind) {
  if (kind === 'web-public') return { is_private: false, is_web_public: true }
  if (kind === 'public') return { is_private: false, is_web_public: false }
  return { is_private: true, is_web_public: false, history_public_to_subscribers: kind === 'private-history' }
}
