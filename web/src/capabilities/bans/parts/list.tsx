import { call } from '@parley/client'
import { bans as contract } from '@parley/server/contract'
import { useEffect } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { dueTitle } from '../../../kernel/time.ts'
import { sync } from '../../../platform/client.ts'
import { useFetchedPages, type FetchedPage } from '../../../platform/list/fetched.ts'
import { LoadMoreButton } from '../../../platform/list/more.tsx'
import { EmptyState, LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { userName } from '../../users/state.ts'
import { liftBan } from '../actions.ts'

export function BanList() {
  const fetchPage = async (last: contract.Ban | undefined, signal: AbortSignal): Promise<FetchedPage<contract.Ban>> => {
    const older = last === undefined ? {} : { before: last.banned_at, before_user_id: last.user_id }
    const { bans, has_older } = await call(SESSION, contract.getBans, older, { signal })
    return { items: bans, hasOlder: has_older }
  }
  const { value, hasFailed, again, page, more } = useFetchedPages(fetchPage, 'bans')
  const [refusal, run] = useRefusal()
  useEffect(
    () =>
      sync.listen(({ type }) => {
        if (type === 'bans') again()
      }),
    [],
  )
  if (value === undefined) return hasFailed ? <LoadFailure again={again} /> : <LoadingRows rows={3} />
  if (value.items.length === 0) return <EmptyState icon="lock" title={ta().bans.nobody} more={ta().bans.how} />
  return (
    <div class="form">
      {refusal}
      <ul class="listed" aria-label={ta().bans.title}>
        {value.items.map((ban) => (
          <li key={ban.user_id} class="listed-row">
            <Avatar userId={ban.user_id} size={24} />
            <bdi class="listed-name">{userName(ban.user_id)}</bdi>
            <span class="note">
              {ta().bans.until(ban.ends_at === null ? tl().bans.untilLifted : dueTitle(ban.ends_at))}
              {ban.banned_by !== null && <> · {ta().bans.by(userName(ban.banned_by))}</>}
              <br />
              <bdi>{ban.reason}</bdi>
            </span>
            <button
              class="button"
              aria-label={ta().bans.liftFor(userName(ban.user_id))}
              onClick={() => void run(async () => liftBan(ban))}
            >
              {ta().bans.lift}
            </button>
          </li>
        ))}
      </ul>
      {value.hasOlder && <LoadMoreButton label={ta().bans.older} page={page} isLoading={false} more={more} />}
    </div>
  )
}
