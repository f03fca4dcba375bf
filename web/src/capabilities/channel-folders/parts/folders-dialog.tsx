import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { textOf } from '../../../platform/dom/html.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { OrderedList } from '../../../platform/list/ordered.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { FormDialog, NameField } from '../../../platform/overlay/form-dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { allChannels } from '../../channels/state.ts'
import { isAdministrator } from '../../users/state.ts'
import { archiveFolder, changeFolder, reorderFolders, createFolder } from '../actions.ts'
import {
  closeFoldersDialog,
  editedFolder,
  openNewFolder,
  activeFolders,
  archivedFolders,
  type Folder,
} from '../state.ts'
import './folders.css'

export function FoldersDialog() {
  const [refusal, run] = useRefusal()
  const [full, setFull] = useState<string>()
  if (!isAdministrator()) return null
  const folders = activeFolders.value
  const archived = archivedFolders.value
  const onArchive = (folder: Folder): void => {
    // Checked here because the server's error is not translated.
    const isFull = countChannels(folder) > 0
    setFull(isFull ? folder.name : undefined)
    if (!isFull) void run(async () => archiveFolder(folder))
  }
  return (
    <Dialog title={t().folders.title} onClose={closeFoldersDialog}>
      <div class="form">
        {folders.length === 0 ? (
          <div class="empty">
            <strong>{tl().folders.empty}</strong>
            <span>{tl().folders.emptyMore}</span>
          </div>
        ) : (
          <OrderedList
            label={t().folders.title}
            things={folders}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name}
            onOrder={(ordered) => void reorderFolders(ordered)}
          >
            {(folder) => <FolderRow folder={folder} onArchive={onArchive} />}
          </OrderedList>
        )}
        {full !== undefined && (
          <p class="form-failure" role="alert">
            {tl().folders.notEmpty(full)}
          </p>
        )}
        {archived.length > 0 && (
          <ArchivedFolders
            folders={archived}
            onRestore={(folder) => void run(async () => changeFolder(folder, { is_archived: false }))}
          />
        )}
        {refusal}
        <div class="dialog-actions">
          <button class="button primary" onClick={() => openNewFolder()}>
            <Icon name="plus" size={16} />
            {tl().folders.create}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

/** Counts only channels that the user can see. */
function countChannels({ id }: Folder): number {
  return allChannels().filter(({ folder_id }) => folder_id === id).length
}

interface FolderRowProps {
  readonly folder: Folder
  readonly onArchive: (folder: Folder) => void
}

function FolderRow({ folder, onArchive }: FolderRowProps) {
  const { name, rendered_description: description } = folder
  return (
    <>
      <span class="ordered-text ordered-lines">
        <bdi>{name}</bdi>
        <span class="note">
          {tl().folders.channels(countChannels(folder))}
          {description !== '' && ` · ${textOf(description)}`}
        </span>
      </span>
      <button
        class="icon-button"
        aria-label={tl().folders.editOf(name)}
        title={tl().folders.edit}
        onClick={() => {
          editedFolder.value = { folder }
        }}
      >
        <Icon name="edit" size={16} />
      </button>
      <button
        class="icon-button"
        aria-label={tl().folders.archiveOf(name)}
        title={tl().folders.archiveOf(name)}
        onClick={() => onArchive(folder)}
      >
        <Icon name="archive" size={16} />
      </button>
    </>
  )
}

interface ArchivedFoldersProps {
  readonly folders: readonly Folder[]
  readonly onRestore: (folder: Folder) => void
}

function ArchivedFolders({ folders, onRestore }: ArchivedFoldersProps) {
  return (
    <details>
      <summary>{tl().folders.archived}</summary>
      <ul aria-label={tl().folders.archived}>
        {folders.map((folder) => (
          <li key={folder.id} class="ordered-row">
            <span class="ordered-text">
              <bdi>{folder.name}</bdi>
            </span>
            <button class="button" aria-label={tl().folders.restoreOf(folder.name)} onClick={() => onRestore(folder)}>
              {tl().folders.restore}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

function closeFolderDialog(): void {
  editedFolder.value = undefined
}

export function FolderDialog() {
  const { folder, made } = editedFolder.value ?? {}
  const [name, setName] = useState(folder?.name ?? '')
  const [description, setDescription] = useState(folder?.description ?? '')
  const save = async (): Promise<void> => {
    const given = { name: name.trim(), description: description.trim() }
    if (folder !== undefined) await changeFolder(folder, given)
    else {
      const id = await createFolder(given)
      made?.(id)
    }
    closeFolderDialog()
  }
  return (
    <FormDialog
      title={folder === undefined ? tl().folders.create : tl().folders.edit}
      action={folder === undefined ? tl().folders.create : tl().folders.save}
      save={save}
      onClose={closeFolderDialog}
    >
      <NameField
        label={tl().channel.name}
        value={name}
        maxLength={store().read('max_channel_folder_name_length')}
        onChange={setName}
      />
      <label class="field">
        <span>{tl().channel.description}</span>
        <input
          class="input"
          maxLength={store().read('max_channel_folder_description_length')}
          value={description}
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </label>
    </FormDialog>
  )
}
