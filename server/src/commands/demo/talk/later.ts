/** Conversations posted while the demo runs, repeatedly and in any order. Format: see ../play.ts. */
export const LIVE_CONVERSATIONS = String.raw`
# general > today
Freya: The bakery says there are cinnamon buns for us at the back door :heart:
Luca: I was never here

# general > today
Ines: I am in calls until three. If something burns, @**Freya Lund** has the extinguisher.
Freya: Both of them, actually

# general > today
Hannah: Is it only me or is the internet slow?
Samuel: Only you and me
Freya: The box wanted a restart. Better?
Hannah: Much! Thank you

# kitchen > coffee
Samuel: Who wants one? I am going now
Ada: Me please, black
Priya: Tea, if there is hot water left
Samuel: There is always hot water left, it is called a kettle

# kitchen > coffee
Luca: New beans: Guatemala. Chocolate, hazelnut.
Hannah: Finally a coffee that does what I want

# kitchen > lunch
Priya: Market or bakery?
Ada: Market!
Luca: Market
Hannah: Bakery. All right, market.

# kitchen > what we are growing
Hannah: Gerald has a new leaf.
Ines: GERALD
Kenji: Long live Gerald

# kitchen > what we are growing
Tomasz: Radishes are ready. Bringing a bag tomorrow, please take some, there are so many.
Freya: With butter and salt, on the bakery's bread. Tomorrow at eleven?
Ada: I have put it into the calendar

# engineering > code review
Ada: Could somebody look at the new date picker? It is mostly deletions
Luca: My favorite kind. Looking.
Luca: Approved. Minus 340 lines!

# engineering > code review
Tomasz: Small one: the weather client now gives up after two seconds instead of thirty.
Samuel: Looks good. What does the user see then?
Tomasz: Yesterday's forecast, with its date.
Samuel: Approved.

# engineering > memory
Tomasz: The server's memory over the last week is a flat line. I love flat lines.
Samuel: Never become a doctor

# engineering > type errors
Luca: Turned on ${'`'}noUncheckedIndexedAccess${'`'} for the web app: 61 errors, and **two real bugs** among them.
Ada: Two of 61 is better than I expected
Luca: One of them explains the empty rota in week 53!

# engineering > dates
Samuel: Do we have a test for 29 February?
Tomasz: Three of them. One is called ${'`'}leap of faith${'`'}.

# design > icons
Kenji: The new frost icon: a snowflake, or a leaf with a scarf?
Hannah: Leaf with a scarf. Not even a question.
Priya: Leaf with a scarf!
Kenji: Leaf with a scarf it is

# design > illustrations
Diego: Snail, now with a tiny backpack: https://plotbook.example/art/snail-backpack
Kenji: What is in the backpack?
Diego: A smaller snail

# design > onboarding
Kenji: Watched three people use the new onboarding today. Nobody read the second sentence.
Hannah: Then there is no second sentence any more.

# product > frost warnings
Priya: 214 gardens were warned last night. Three wrote back to say thank you, one wrote back to say it was not *that* cold.
Tomasz: It was −0.4 °C in his garden. I checked.

# product > shared beds
Ines: The first two families try shared beds from today
Priya: They call it "the app for our marriage"
Ines: Please don't put that into the newsletter, Hannah
Hannah: Too late (no, not really)

# product > numbers of the week
Samuel: So far today:

| | Now | Usual |
|---|---:|---:|
| Gardens active | 611 | 580 |
| Diary entries | 1,340 | 1,190 |
| Crashes | 2 | 4 |
Ines: Two!
Ada: I know both of them by name

# support > help pages
Priya: "How do I move a plant to another bed?" is asked twice a day now. Should we show it once, with an arrow?
Kenji: With a snail and an arrow.

# support > saved answers
Priya: Somebody answered my saved answer with a saved answer. It was very polite on both sides.

# marketing > garden of the month
Hannah: Harbour Plots sent photos. One fish box has a lemon tree in it!
Priya: In *Denmark*?
Hannah: In a very warm corner of Denmark

# marketing > spring newsletter
Ines: Next month's topic: soil. Who knows something about soil?
Tomasz: /me clears his throat
Hannah: 300 words, Tomasz. Not 3,000.

@ Ada, Luca
Ada: Pairing at three? I want to understand the new router
Luca: Gladly. Bring biscuits.

@ Ines, Freya
Freya: You have lunch with the bank at 12:30, the table is under your name
Ines: What would I do without you
Freya: Eat at your desk

@ Priya, Hannah
Hannah: Commas are fixed
Priya: There were no commas
Hannah: There are now
`
