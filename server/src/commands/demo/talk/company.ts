export const COMPANY_CONVERSATIONS = String.raw`
# general > welcome
Ines: Good morning everyone, and welcome to our new chat! :seedling: Everything about **Plotbook** lives here from today. The old mailing list stays readable, but please don't start anything new there.
Freya: I made a channel for each of our teams. You are in the ones you need; join any other you like.
Ines: Three habits that will keep this place pleasant:
1. One topic per question. A new question gets a new topic.
2. Write it here rather than in a direct message, unless it is private.
3. Nobody has to answer outside their working hours.
Kenji: :wave: from a very rainy Osaka
Ada: Hello! Is there a way to see only what I have not read yet?
Freya: Yes, the unread view. And you can mute topics that aren't yours, I muted half of #**releases** already
Tomasz: Excuse me, the deploy bot has feelings
Luca: It posts forty times a day. It has *no* feelings left.
Hannah: Love it here already. Much calmer than mail.

# general > team meeting
Ines: Agenda for Thursday, please add yours:

| Topic | Who | Minutes |
|-------|-----|--------:|
| Spring release: are we on track? | @**Tomasz Nowak** | 15 |
| What gardeners told us this month | @**Priya Raman** | 10 |
| New onboarding, first look | @**Kenji Mori** | 15 |
| Summer holidays | @**Freya Lund** | 5 |
Samuel: Could I have ten minutes for the crash numbers? They are good news for once.
Ines: Gladly. After Priya then.
Ada: I will be on a train, but with my camera off I should be fine
Priya: Notes from today:
* Spring release stays on the 24th; seed swap moves to the release after it
* Onboarding goes to five test gardens next week, **Priya** invites them
* Crash-free sessions are at 99.6 %, from 98.1 % in autumn
* Everyone writes their holidays into the calendar until Friday
Tomasz: Thanks for the notes! One correction: seed swap is *nearly* done, it is the moderation that moves.
Priya: Fixed, thank you
Ines: Same time next Thursday. Have a good evening all :wave:

# general > office move
Freya: The landlord confirmed: we get the two rooms above the bakery from the first of next month. :tada:
Luca: Above the BAKERY
Hannah: There goes my figure
Freya: Practical things:
- [Floor plan](https://plotbook.example/office/plan.pdf), desks are not assigned yet
- Internet comes on the 3rd, so please plan to work from home on the 1st and 2nd
- Everybody packs their own drawer, I pack the kitchen
Kenji: Is there a wall for the big planning board? It is 2.4 m wide
Freya: The north wall is 3.1 m, between window and door. I measured twice.
Kenji: You are wonderful
Samuel: I can bring my van on Saturday the 30th. Two trips should do.
Ines: Thank you @**Samuel Asante**! Pizza for all who carry.
Ada: Carrying. Pizza with mushrooms please.
Tomasz: I'll take the servers' spare disks by hand, they do not like vans

# general > holidays
Freya: Please write down your summer weeks here, I'll put them into the calendar.
Tomasz: 3 to 14 August, off the grid in the Tatra mountains. @**Ada Okafor** has my phone number for emergencies.
Ada: 20 to 31 July
Luca: 10 to 21 August, the sea :ocean:
Freya: Tomasz and Luca overlap for a week, then nobody but Ada can fix the web app. Is that fine?
Ada: Fine with me, as long as nothing is released that week
Ines: Then we do not release that week. Simple.
Priya: First two weeks of September, my sister marries!
Hannah: Congratulations to her! :tada:

# kitchen > coffee
Luca: The new beans arrived. Ethiopian, very fruity.
Samuel: Tried them. It is tea with ambitions.
Luca: I will not be spoken to like this in my own kitchen
Hannah: I liked it!
Samuel: You drink it with oat milk and cinnamon, your vote is recorded under *dessert*
Freya: The machine wants descaling, by the way. It blinks at me.
Luca: Doing it at lunch.
Kenji: Remote colleagues suggest that descaling be live-streamed

# kitchen > lunch
Hannah: Soup at the market again? They have the pumpkin one today.
Ada: In!
Samuel: In. 12:30?
Priya: I have a call until 12:45, go ahead and keep me a chair
Luca: /me is already standing in the queue
Hannah: He really is. I can see him from the window.
Freya: Could somebody bring me one? I am waiting for the electrician.
Priya: Of course. Bread as well?
Freya: Is that even a question

# kitchen > what we are growing
Ines: Show me your balconies! I'll start: eleven tomato seedlings, two of them still alive.
Tomasz: Radishes. They are the only thing that forgives me.
Priya: Chillies, four kinds. The hottest one measured:

$$ S = 15 \times c_{\text{ppm}} \approx 180\,000 $$

Scoville units. I wear gloves.
Samuel: You measured the capsaicin?
Priya: My cousin has a lab and too much time
Kenji: Shiso and mitsuba on the window sill. Photos when the light is better.
Hannah: A single, very old, very dramatic basil plant named Gerald
Ines: How is Gerald?
Hannah: Dramatic.
Luca: I have mint. That is to say, the mint has me.
Freya: Never plant mint without a pot. I learned it the hard way, and so did my neighbor.

# kitchen > book club
Hannah: Next one is *The Summer Book* by Tove Jansson. It is short and full of islands.
Ada: Finally one I can finish
Priya: I read it twice already and would happily read it again
Samuel: When do we meet?
Hannah: Wednesday in two weeks, <time:2026-12-09T18:00:00+01:00>, at the new office if the chairs are there
Freya: The chairs will be there.

# marketing > spring newsletter
Hannah: Draft of the spring newsletter is up: https://plotbook.example/drafts/spring. Comments welcome until Wednesday noon.
Ines: I like it a lot. Could the first paragraph say what is *new* before it says that spring is beautiful?
Hannah: But it *is* beautiful
Ines: No doubt. Second paragraph beautiful, first paragraph useful.
Hannah: New opening:

> Your garden's watering plan now works without a signal, right between the beans.
> Open it at home once, and everything you tick off outside arrives when you are back.

Ines: Yes!
Priya: "right between the beans" :heart:
Kenji: I can draw beans for the header. Diego, do you have time?
Diego: For beans always! Two days?
Hannah: Perfect, Thursday is early enough.
Hannah: Sent to 4,212 gardeners. Opened by 61 % so far, which is a record for us.
Samuel: And 340 new offline downloads since this morning
Ines: :rocket:

# marketing > garden of the month
Hannah: Candidates for December:
* **Linden Street**, Leipzig: forty beds on a former car park
* **La Huerta Alta**, Valencia: school garden, the children keep the diary
* **Harbour Plots**, Aarhus: everything in fish boxes, moved twice
Priya: Harbour Plots! They also reported the nicest bug of the year ("the app thinks we are in the sea").
Tomasz: In our defence, they *were* in the sea.
Hannah: Harbour Plots it is. Priya, would you ask them for photos?
Priya: Already did while you were typing

# marketing > pricing page
Ines: We want to say more plainly that small gardens never pay. Luca, could the free plan stand first?
Luca: Sure. Like this?

| | Small | Growing | Federation |
|---|---|---|---|
| Beds | up to 40 | any number | any number |
| Price a month | **free, for good** | 9 € | ask us |
| Several gardens | – | – | yes |
Hannah: "for good" reads lovely
Freya: Legally fine as well, I asked.
Luca: Live since five minutes. Cache may need a moment.
Samuel: In Safari the last column is cut off on small phones
Luca: Fixed. Thanks for the sharp eyes.
`
