import { conversationOfMessage } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { placeName } from '../../places/title.tsx'
import { ownId } from '../../users/state.ts'
import { newTopic } from '../actions.ts'
import { answer, messageToAnswer } from '../answering.ts'

/**
 * Replaces the composer below a feed. Links to the conversation of the current message, and starts new conversations.
 */
export function FeedComposer() {
  const message = messageToAnswer()
  return (
    <div class="composer">
      <div class="composer-box composer-closed">
        {message !== undefined && (
          <button class="composer-answer" onClick={() => answer(message)}>
            <Icon name="reply" size={16} />
            <span>{t().composer.answerTo(placeName(conversationOfMessage(message, ownId())))}</span>
          </button>
        )}
        <button class="button" aria-label={t().keys.newTopic} title={t().keys.newTopic} onClick={newTopic}>
          <Icon name="plus" size={16} />
          <span>{t().keys.newTopic}</span>
        </button>
      </div>
    </div>
  )
}
