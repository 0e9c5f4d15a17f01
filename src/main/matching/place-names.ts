/**
 * Towns and municipalities of Northern Europe, and the large ones beyond. A name that mentions one of them other than the
 * assignment's speaks against that assignment. Most of it comes from the
 * locale data of @faker-js/faker (MIT licence, see NOTICE.md).
 */
export const PLACE_NAMES: readonly string[] = `
Aabenraa|Aachen|Aalborg|Aalen|Aalestrup|Aarhus|Aars|Aarup|Aberdeen|Aberystwyth|Ahlen|Aix-en-Provence|Ajaccio
Albertslund|Alingsås|Alkmaar|Almelo|Almere|Alnwick|Alphen aan den Rijn|Alstahaug|Alta|Alvdal|Alver|Alvesta
Amersfoort|Amiens|Amsterdam|Andøy|Aneby|Angers|Antibes|Antony|Antwerpen|Apeldoorn|Arboga|Arden|Aremark|Arendal
Argenteuil|Arjeplog|Armagh|Arnhem|Arnsberg|Arvidsjaur|Arvika|Aschaffenburg|Asker|Askersund|Askvoll|Askøy
Asnières-sur-Seine|Asnæs|Assen|Assentoft|Aubervilliers|Augsburg|Augustenborg|Aukra|Aulnay-sous-Bois|Aulum|Auning
Aurland|Aurskog-Høland|Austevoll|Austrheim|Averøy|Avesta|Avignon|Bad Homburg vor der Höhe|Bad Kreuznach
Bad Oeynhausen|Bad Salzuflen|Baden-Baden|Ballerup|Balsfjord|Bamberg|Bamble|Bangor|Barcelona|Bardu|Barnsley
Barnstaple|Basel|Basildon|Basingstoke|Bath|Bayreuth|Beauvais|Beder-Malling|Bedford|Beiarn|Belfast|Bellinge
Bengtsfors|Bergen|Bergheim|Bergisch Gladbach|Berlevåg|Berlin|Bern|Besançon|Bielefeld|Bilbao|Bindal|Birkenes
Birkerød|Birmingham|Bjerkreim|Bjurholm|Bjuv|Bjæverskov|Bjørnafjorden|Blackburn|Blackpool|Bocholt|Bochum|Boden
Bodø|Bogense|Bokn|Bollebygd|Bollnäs|Bologna|Bolton|Bonn|Bordeaux|Borgholm|Borlänge|Borup|Borås|Botkyrka|Bottrop
Boulogne-Billancourt|Bourges|Bournemouth|Boxholm|Bradford|Brandenburg an der Havel|Braunschweig|Breda|Brejning
Bremanger|Bremen|Bremerhaven|Brest|Brighton|Bristol|Broager|Bromölla|Brovst|Brugge|Bruxelles|Bryne|Bräcke
Brædstrup|Brøndby|Brønderslev|Brønnøy|Brørup|Budapest|Burlöv|Burnley|Bygland|Bykle|Båstad|Båtsfjord|Bærum
Béziers|Böblingen|Bømlo|Caen|Calais|Cambridge|Cannes|Canterbury|Cardiff|Carlisle|Castrop-Rauxel|Cayenne|Celle
Cergy|Chambéry|Champigny-sur-Marne|Chelmsford|Cheltenham|Chemnitz|Chester|Chichester|Cholet|Christiansfeld
Clermont-Ferrand|Clichy|Colchester|Colmar|Colombes|Corby|Cork|Cottbus|Courbevoie|Coventry|Crawley|Crewe|Créteil
Dals-Ed|Danderyd|Darlington|Darmstadt|Degerfors|Delft|Delmenhorst|Den Haag|Derby|Dessau-Roßlau|Detmold|Deventer
Dianalund|Dijon|Dinslaken|Doncaster|Dordrecht|Dormagen|Dorotea|Dorsten|Dortmund|Dover|Dovre|Dragør|Drammen
Drancy|Drangedal|Dresden|Dronninglund|Dublin|Duisburg|Dumfries|Dundee|Dunkerque|Durham|Dyrøy|Dønna|Düren
Düsseldorf|Eastbourne|Edinburgh|Egersund|Eidfjord|Eidskog|Eidsvoll|Eigersund|Eindhoven|Ejby|Ekerö|Eksjö|Elmshorn
Elverum|Emden|Emmaboda|Emmen|Enebakk|Engerdal|Enköping|Enschede|Erftstadt|Erfurt|Erlangen|Esbjerg|Eschweiler
Eskilstuna|Eslöv|Espoo|Essen|Esslingen am Neckar|Essunga|Etne|Etnedal|Euskirchen|Evenes|Evje og Hornnes|Exeter
Fagersta|Falkenberg|Falköping|Falmouth|Falun|Farsund|Farsø|Farum|Fauske|Faxe|Faxe Ladeplads|Fedje|Fensmark
Filipstad|Finspång|Firenze|Fitjar|Fjaler|Fjerritslev|Fjord|Flakstad|Flatanger|Flekkefjord|Flen|Flensburg
Flesberg|Florø|Folkestone|Folldal|Forshaga|Forssa|Fort-de-France|Frankfurt|Frankfurt am Main|Frechen|Fredensborg
Fredericia|Frederiksberg|Frederikshavn|Frederikssund|Frederiksværk|Fredrikstad|Freiburg im Breisgau|Frejlev
Friedrichshafen|Frogn|Froland|Frosta|Frøya|Fulda|Fyresdal|Färgelanda|Færder|Førde|Fürth|Gagnef|Galten|Galway
Gamvik|Ganløse|Garbsen|Gateshead|Gausdal|Gdańsk|Gelsenkirchen|Genf|Genova|Gent|Gentofte|Gera|Gießen|Gildeskål
Giske|Gislaved|Gistrup|Give|Gjemnes|Gjerdrum|Gjerstad|Gjesdal|Gjøvik|Gladbeck|Gladsaxe|Glamsbjerg|Glasgow
Gloppen|Glostrup|Gloucester|Gnesta|Gnosjö|Goslar|Gotland|Gouda|Grane|Gratangen|Graz|Great Yarmouth|Greifswald
Grenaa|Grenoble|Greve Strand|Grevenbroich|Grimsby|Grimstad|Grindsted|Gronau|Grong|Groningen|Grue|Grums|Grästorp
Gråsten|Græsted|Guderup|Guildford|Gulen|Gullspång|Gummersbach|Gällivare|Gävle|Göppingen|Görlitz|Göteborg|Götene
Göttingen|Gütersloh|Haarlem|Habo|Haderslev|Hadsel|Hadsten|Hadsund|Hagfors|Halden|Halifax|Halle|Hallsberg
Hallstahammar|Halmstad|Hamar|Hamarøy|Hamburg|Hameln|Hamina|Hamm|Hammarö|Hammerfest|Hanau|Haninge|Hannover
Haparanda|Haram|Hareid|Harlev|Harrogate|Harstad|Hartlepool|Haslev|Hastings|Hasvik|Hattfjelldal|Hattingen
Haugesund|Havdrup|Heby|Hedehusene|Hedemora|Hedensted|Heerlen|Heidelberg|Heidenheim an der Brenz|Heilbronn|Heim
Heinola|Helmond|Helsingborg|Helsinge|Helsingør|Helsinki|Hemnes|Hemsedal|Hereford|Herford|Herlev|Herne|Herning
Herrljunga|Herten|Hertford|Herøy|Hilden|Hildesheim|Hillerød|Hilversum|Hinnerup|Hitra|Hjallerup|Hjartdal
Hjelmeland|Hjortshøj|Hjørring|Hobro|Hofors|Holbæk|Hole|Hollola|Holmestrand|Holstebro|Holsted|Holtålen|Hoorn
Horsens|Horten|Huddersfield|Huddinge|Hudiksvall|Hull|Hultsfred|Humlebæk|Hundested|Hurdal|Hurup|Hustadvika|Hvaler
Hvide Sande|Hvidovre|Hyllestad|Hylte|Hyvinkää|Hyères|Hällefors|Hämeenlinna|Härjedalen|Härnösand|Härryda
Hässleholm|Håbo|Hægebostad|Höganäs|Högsby|Hörby|Höör|Højslev Stationsby|Høng|Hørning|Hørsholm|Høruphav|Høyanger
Høylandet|Hürth|Ibbenbüren|Ibestad|Iisalmi|Ikast|Imatra|Inderøy|Indre Fosen|Indre Østfold|Ingolstadt|Innsbruck
Inverness|Ipswich|Iserlohn|Ishøj|Issy-les-Moulineaux|Iveland|Ivry-sur-Seine|Jelling|Jena|Jessheim|Jevnaker
Joensuu|Jokkmokk|Juelsminde|Jyderup|Jyllinge|Jyväskylä|Jämsä|Järfälla|Järvenpää|Jægerspris|Jönköping
Kaiserslautern|Kajaani|Kalix|Kalmar|Kalundborg|Kangasala|Karasjok|Karlsborg|Karlshamn|Karlskoga|Karlskrona
Karlsruhe|Karlstad|Karlsøy|Karmøy|Kassel|Katrineholm|Kautokeino|Kempele|Kempten|Kendal|Kerava|Kerpen|Kettering
Kibæk|Kidderminster|Kiel|Kilmarnock|Kinda|Kinn|Kirke Hvalsø|Kirkenes|Kirkkonummi|Kiruna|Kjellerup|Klarup|Klepp
Kleve|Klippan|Knivsta|Koblenz|Kokkola|Kolding|Kongsberg|Kongsvinger|Konstanz|Korsør|Kotka|Kouvola|Kragerø|Kraków
Kramfors|Krefeld|Kristiansand|Kristianstad|Kristiansund|Kristinehamn|Krokom|Krødsherad|Kumla|Kungsbacka|Kungsör
Kungälv|Kuopio|Kurikka|Kvam|Kvinesdal|Kvinnherad|Kviteseid|Kvitsøy|Kvæfjord|Kvænangen|Kävlinge|Kåfjord|Köln
Köping|København|Køge|La Rochelle|La Seyne-sur-Mer|Laholm|Lahti|Lancaster|Landshut|Landskrona|Langenfeld
Langenhagen|Langeskov|Langå|Lappeenranta|Larvik|Laukaa|Lausanne|Lavangen|Laxå|Le Havre|Le Mans|Le Tampon|Lebesby
Leeds|Leeuwarden|Leicester|Leiden|Leipzig|Leirfjord|Leka|Lekeberg|Leksand|Lempäälä|Leonberg|Lerum|Les Abymes
Lesja|Lessebo|Levallois-Perret|Levanger|Leverkusen|Lichfield|Lidingö|Lidköping|Lier|Lierne|Lilla Edet|Lille
Lillehammer|Lillerød|Lillesand|Lillestrøm|Limerick|Limoges|Lincoln|Lindesberg|Lindesnes|Lingen|Linköping|Linz
Lippstadt|Lisburn|Liseleje|Liverpool|Ljungby|Ljusdal|Ljusnarsberg|Llanelli|Lohja|Loimaa|Lomma|London|Londonderry
Loppa|Lorient|Lowestoft|Ludvika|Ludwigsburg|Ludwigshafen am Rhein|Luleå|Lunderskov|Lunner|Lurøy|Luster|Luton
Luxembourg|Lycksele|Lyngby|Lyngdal|Lynge-Uggeløse|Lyngen|Lyon|Lysekil|Lystrup|Lærdal|Lörrach|Lødingen|Løgstør
Løgten|Løgumkloster|Lørenskog|Løten|Lübeck|Lüdenscheid|Lüneburg|Lünen|Maastricht|Macclesfield|Madrid|Magdeburg
Maidstone|Mainz|Malmö|Malung-Sälen|Malvik|Malå|Manchester|Mandal|Mannheim|Marburg|Mariager|Mariestad|Markaryd
Marker|Marseille|Masfjorden|Meerbusch|Melhus|Mellerud|Meløy|Menden|Meråker|Metz|Middelburg|Middelfart
Middlesbrough|Midt-Telemark|Midtre Gauldal|Mikkeli|Milano|Minden|Mjölby|Modalen|Modum|Moers|Molde|Montauban
Montpellier|Montreuil|Mora|Morpeth|Mosjøen|Moskenes|Moss|Motala|Mulhouse|Mullsjö|Munkedal|Munkfors|Målselv
Mårslet|Måsøy|Mérignac|Mölndal|Mönchengladbach|Mönsterås|Mörbylånga|Mülheim an der Ruhr|München|Münster|Naantali
Nacka|Nakskov|Namsos|Namsskogan|Nannestad|Nanterre|Nantes|Napoli|Narvik|Nesbyen|Nesna|Nesodden|Nesseby|Neu-Ulm
Neubrandenburg|Neuilly-sur-Seine|Neumünster|Neuss|Neustadt an der Weinstraße|Neuwied|Newcastle
Newcastle upon Tyne|Newport|Newry|Nexø|Nice|Nijmegen|Niort|Nissedal|Nittedal|Nivå|Noisy-le-Grand|Nokia|Nome
Nord-Aurdal|Nord-Fron|Nord-Odal|Nordanstig|Norderstedt|Nordhorn|Nordkapp|Nordmaling|Nordre Follo|Nordre Land
Nordreisa|Nore og Uvdal|Norrköping|Norrtälje|Norsjö|Northampton|Norwich|Notodden|Nottingham|Nurmijärvi|Nyborg
Nybro|Nykvarn|Nyköping|Nykøbing F|Nykøbing M|Nynäshamn|Nässjö|Nærøysund|Næstved|Nîmes|Nørre Åby|Nørresundby
Nürnberg|Oberhausen|Ockelbo|Odda|Odder|Odense|Offenbach am Main|Offenburg|Oksbøl|Oldenburg|Oldham|Olofström
Oppdal|Orkland|Orléans|Orsa|Orust|Osby|Osen|Oskarshamn|Oslo|Osnabrück|Osterøy|Otterup|Oulu|Ovanåker|Overhalla
Oxelösund|Oxford|Padborg|Paderborn|Paisley|Pajala|Palermo|Pandrup|Partille|Passau|Peine|Penrith|Penzance
Perpignan|Perstorp|Perth|Pessac|Peterborough|Pforzheim|Pietarsaari|Piteå|Plauen|Plymouth|Poitiers|Pori|Porsanger
Porsgrunn|Portsmouth|Porvoo|Potsdam|Poznań|Praha|Preston|Præstø|Pulheim|Quimper|Raahe|Raasepori|Ragunda|Raisio
Rakkestad|Rana|Randaberg|Randers|Rastatt|Ratingen|Rauma|Ravensburg|Reading|Recklinghausen|Redditch|Regensburg
Reims|Remscheid|Rendalen|Rennebu|Rennes|Reutlingen|Reykjavík|Rheine|Ribe|Riga|Riihimäki|Rindal|Ringebu|Ringerike
Ringkøbing|Ringsaker|Ringsted|Ripon|Risør|Robertsfors|Rochdale|Rollag|Roma|Ronneby|Roosendaal|Rosenheim|Roskilde
Rostock|Rotherham|Rotterdam|Roubaix|Rouen|Rovaniemi|Rudersdal|Rudkøbing|Rueil-Malmaison|Rugby|Rättvik|Råde
Rælingen|Rødding|Rødovre|Rødøy|Rønde|Rønne|Røros|Røst|Røyrvik|Rüsselsheim am Main|Saarbrücken|Sabro|Saint-Denis
Saint-Maur-des-Fossés|Saint-Nazaire|Saint-Paul|Saint-Pierre|Saint-Quentin|Saint-Étienne|Sakskøbing|Sala|Salangen
Salem|Salford|Salisbury|Saltdal|Salzburg|Salzgitter|Samnanger|Sande|Sandefjord|Sandnes|Sandviken|Sankt Augustin
Sankt Klemens|Sarcelles|Sarpsborg|Sastamala|Sauda|Savonlinna|Scarborough|Schiedam|Schweinfurt|Schwerin
Schwäbisch Gmünd|Scunthorpe|Seinäjoki|Selbu|Selby|Seljord|Senja|Sevilla|Sheffield|Shrewsbury|Siegen|Sigdal
Sigtuna|Siilinjärvi|Siljan|Silkeborg|Simrishamn|Sindal|Sindelfingen|Sirdal|Sjöbo|Skanderborg|Skara|Skaun
Skellefteå|Skibby|Skien|Skinnskatteberg|Skipton|Skiptvet|Skive|Skjervøy|Skjåk|Skurup|Skærbæk|Skævinge|Skövde
Skørping|Slagelse|Slough|Smedjebacken|Smøla|Smørumnedre|Snåsa|Sogndal|Sokndal|Sola|Solbjerg|Solingen|Sollefteå
Sollentuna|Solna|Solrød Strand|Solund|Sorsele|Sortland|Sorø|Sotenäs|Southampton|Southend|Speyer|Stad
Staffanstorp|Stange|Stavanger|Stege|Steigen|Steinkjer|Stenløse|Stenungsund|Stevenage|Stirling|Stjørdal|Stockholm
Stockport|Stoholm|Stoke-on-Trent|Stolberg|Stor-Elvdal|Stord|Store Heddinge|Storfjord|Storfors|Storuman|Storvorde
Stralsund|Stranda|Strasbourg|Strib|Struer|Stryn|Strängnäs|Strömstad|Strömsund|Strøby Egede|Stuttgart|Støvring
Sula|Suldal|Sundby|Sundbyberg|Sunderland|Sunds|Sundsvall|Sunndal|Sunne|Sunnfjord|Surahammar|Surnadal|Svalöv
Svedala|Sveio|Svejbæk|Svendborg|Svenljunga|Svinninge|Svogerslev|Swaffham|Swansea|Swindon|Sykkylven|Säffle|Säter
Sävsjö|Sæby|Söderhamn|Söderköping|Södertälje|Sölvesborg|Søften|Sømna|Sønderborg|Søndersø|Søndre Land|Sør-Aurdal
Sør-Fron|Sør-Odal|Sør-Varanger|Sørfold|Sørreisa|Taarbæk|Taastrup|Tallinn|Tampere|Tana|Tanum|Tarm|Taulov|Taunton
Telford|Thisted|Thurø By|Tibro|Tidaholm|Tierp|Tilburg|Time|Timrå|Tinglev|Tingsryd|Tingvoll|Tinn|Tjeldsund
Tjæreborg|Tjörn|Toftlund|Tokke|Tolga|Tomelilla|Torino|Tornio|Torquay|Torsby|Torsås|Toulon|Toulouse|Tourcoing
Tours|Tranemo|Tranås|Trelleborg|Trier|Trige|Troisdorf|Trollhättan|Tromsø|Trondheim|Trosa|Troyes|Truro|Trysil
Træna|Tune|Turku|Tuusula|Tvedestrand|Tydal|Tynset|Tyresö|Tysnes|Tysvær|Täby|Tårnby|Töreboda|Tølløse|Tønsberg
Tørring|Tübingen|Uddevalla|Ullensaker|Ullensvang|Ullerslev|Ulricehamn|Ulstein|Ulvik|Umeå|Unna|Upplands Väsby
Upplands-Bro|Uppsala|Uppvidinge|Utrecht|Utsira|Vaasa|Vadstena|Vadsø|Vaggeryd|Vaksdal|Valdemarsvik|Valence
Valencia|Valkeakoski|Valle|Vallensbæk|Vallentuna|Vamdrup|Vang|Vansbro|Vantaa|Vanylven|Vara|Varberg|Varde|Vardø
Varkaus|Vaxholm|Vefsn|Vega|Vegårshei|Vejen|Vejle|Velbert|Vellinge|Venezia|Venlo|Vennesla|Verdal|Verona
Versailles|Vestbjerg|Vestby|Vester Hassing|Vestnes|Vestre Slidre|Vestre Toten|Vestvågøy|Vetlanda|Vevelstad
Viborg|Viby S|Videbæk|Viersen|Vihti|Vildbjerg|Vilhelmina|Villejuif|Villeneuve-d'Ascq|Villeurbanne
Villingen-Schwenningen|Vilnius|Vimmerby|Vindafjord|Vindeln|Vinderup|Vingåker|Vinje|Virklund|Vissenbjerg
Vitry-sur-Seine|Vlaardingen|Vodskov|Volda|Vordingborg|Voss|Vänersborg|Vännäs|Värmdö|Värnamo|Västervik|Västerås
Växjö|Vågan|Vågå|Våler|Vårgårda|Værløse|Værøy|Vénissieux|Waiblingen|Wakefield|Warrington|Warszawa|Watford|Weimar
Wesel|Westminster|Wetzlar|Whitby|Wien|Wiesbaden|Wilhelmshaven|Willich|Winchester|Witten|Woking|Wolfenbüttel
Wolfsburg|Wolverhampton|Worcester|Worms|Wrexham|Wrocław|Wuppertal|Würzburg|Ydre|Yeovil|Ylivieska|Ylöjärvi|York
Ystad|Zaandam|Zoetermeer|Zwickau|Zwolle|Zürich|Älmhult|Älvdalen|Älvkarleby|Älvsbyn|Ängelholm|Äänekoski|Åfjord
Ålesund|Åmli|Åmot|Åmål|Ånge|Årdal|Årjäng|Årslev|Åsele|Åseral|Åsnes|Åstorp|Åtvidaberg|Öckerö|Ödeshög|Örebro
Örkelljunga|Örnsköldsvik|Östersund|Österåker|Östhammar|Östra Göinge|Överkalix|Övertorneå|Øksnes|Ølgod|Ølstykke
Ørland|Ørsta|Østre Toten|Øvre Eiker|Øyer|Øygarden|Øystre Slidre
`
  .trim()
  .split(/[|\n]/);

/** Towns whose names are common last names as well. */
export const PLACES_LIKE_PEOPLE: readonly string[] = ['Berg', 'Lund', 'Norberg', 'Nordby', 'Paris', 'Salo'];
