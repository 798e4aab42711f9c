"""Words of columns that say where, when and how something happened, what a thing is like, and how data was kept: others
see it, or it says nothing about a person. Also names in Dutch, and those of services that people use."""

from __future__ import annotations

from fairveil.run.suggestions.topic_words import Topic

CIRCUMSTANCES = (
    Topic("thing", 2, "circumstances that others see",
          "=weather weather+condition weather+conditions wetter meteo intemperies light+condition light+conditions "
          "lighting lichtverhaltnisse luminosite road+surface road+type road+condition road+conditions road+class "
          "street+type tipo+calle tipo+via type+voie strassenart strassenzustand junction intersection carrefour cruce "
          "speed+limit =weekend =isweekend wochenende holiday feriado matchday gameweek lane bats throws "
          "preferred+foot foot+preferred jersey shirt+number =seat seatno seat+no seat+number seat+pos seat+position "
          "deck gate terminal airport hotel genre mpaa cylinders transmission gearbox engine drivetrain doors =seats "
          "=model =brand =brands hersteller fabricant manufacturer colour color couleur farbe kleur colore seller+type "
          "body+style body+type =fuel bldg building garage transporte+escolar bath baths bathrooms beds sqft "
          "square+feet lot+area lotarea stories storeys furnishing furnished zoning continent travel+mode "
          "mode+transport transport+mode arrival+mode mode+arrival mode+travel =mode mtrans means+transport "
          "verkehrsmittel mode+transporte source+channel acquisition+channel rainfall temperature+outside air+temp "
          "windspeed"),
    Topic("thing", 2, "circumstances that others see", "=pos =position =round =surface =venue =event"),
    Topic("date", 3, "when something happened to somebody",
          "trimestre quatrimestre bimestre quartal trimester pay+period payperiod periode zeitraum periodo =season "
          "data+ricovero data+dimissione data+ingresso data+uscita data+admissao data+alta data+internacao data+inicio "
          "data+fim data+notificacao datum+opname opnamedatum ontslagdatum ingangsdatum einddatum aufndat entldat "
          "aufnahmetag entlasstag horas+hecho hora+hecho fecha+hecho uhrzeit =hora =heure =dd =mm =aaaa =yyyy =hh =dow "
          "day+week weekday wochentag dia+semana jour+semaine codepresentation code+presentation"),
    Topic("plain", 7, "how the data was kept",
          "last+updated lastupdated last+modified date+modified modified+date updated+at export+date "
          "extract+date load+date attention+check consent seqno =seq aeseq lbseq vsseq cmseq mhseq "
          "exseq dsseq =progressivo =progr date+type datetype =recordtype record+type form+version"),
    Topic("plain", 6, "figures of the time, not of a person",
          "euribor price+idx conf+idx var+rate nr+employed cons+price cons+conf inflation gdp consumer+price"),
    Topic("place", 3, "where somebody lives or is",
          "=origin =dest origin+airport dest+airport departure+city arrival+city congressional cong+dist "
          "congress+district voting+district dist+road dist+market dist+school dist+hospital dist+clinic dist+town "
          "distance+road distance+market distance+school distance+hospital distance+town distance+city =comm commun "
          "bula gkpol bundesld westost ostwest wohngegend localizacao localizacion ubicacion emplacement standplaats "
          "gemeente provincie wijk buurt plaats land+residence altura+calle calle+altura point+x point+y coord+x "
          "coord+y map+x map+y xpos ypos"),
    Topic("place", 1.5, "where somebody lives or is", "=dist =block =area =altura"),
    Topic("life", 3, "school or studies",
          "subject+taught taught+subject subject+name matiere materia asignatura disciplina unterrichtsfach schulfach "
          "hdeg tdeg highdeg titstu tit+stud niv+etude nivelaprob nivel+aprob grado+aprob alfabetism alfabetismo "
          "analfabeta asis+esc asistencia+escolar erasmus international+student nursery preschool creche paeduc "
          "maeduc speduc pareduc daytime+attendance evening+attendance degree+sought degree+program study+program "
          "=programme =program opleidingsniveau onderwijs leerjaar klas schooltype tp+escola tipo+escola escola "
          "titularidad conclusao+ensino ensino+medio codemodule code+module cls+level class+level cls+credits "
          "credits+hours course+level school+board board+school tch+exp"),
    Topic("life", 3, "work",
          "vertragsart vertragsform contract+type type+contrat tipo+contrato arbeidspositie arbeidsrelatie "
          "dienstverband functie functienaam afdeling leidinggevende funzione mansione qualifica inquadramento orgao "
          "carga+horaria htrab horas+trab hrs+trab hours+worked worked+hours arbstd wochenstd no+employees "
          "num+employees number+employees company+employees employees+number nbr+employes years+teaching "
          "teaching+experience years+teach training+route willing+relocate relocate relocation workex socio+prof "
          "socio+professionnelle categorie+professionnelle beruf+stellung stellung+beruf berufl+stellung isco kldb "
          "vetstat veteran+status situacao+funcional filing+status steuerklasse qemp empl+type tact catpr"),
    Topic("life", 3, "family and home",
          "qtd+pessoas qt+pessoas num+pessoas cantidad+personas num+personas nb+personnes nbpers tot+integ integrantes "
          "tamano+hogar hhgroe haushaltsgrosse bg+groesse bg+grosse occupants occupant bewohnerzahl hhcomp hh+comp "
          "household+comp household+composition parents+status pstatus relpar parentela rel+parent woning woningtype "
          "eigendom kinderen aantal+kinderen gezin gezinsgrootte huishouden prop+type property+kind agua+ent drenaje "
          "sanitario renthom voit stocd nperr nbpi looked+after surface+logement hoofdbewoner"),
    Topic("ground", 3, "nationality",
          "=nat nationaliteit herkomst cittadinanza cittad pref+language preferred+language language+preferred "
          "prim+lang primary+language language+primary pref+lang langtest language+test =speaks languages+spoken "
          "hablaind lengua+indigena lingua+madre moedertaal taal"),
    Topic("ground", 3, "race, colour or origin",
          "geboorteland migratieachtergrond migrhint imprace paese+nascita land+geburt pais+nacimiento fblck mblck "
          "fwhte mwhte othrace"),
    Topic("ground", 3, "age",
          "asq husage wifage geboortedatum geboortejaar ppage gbjahr gbjhr geb+jahr geb+dat etaanni leeftijdsgroep"),
    Topic("ground", 3, "sex or gender", "sexvar ppgender geschl"),
    Topic("ground", 3, "marital status", "staciv sta+civ est+civ etat+civ edo+conyug conyug gehuwd ppmarit statmat"),
    Topic("score", 5, "habits",
          "screen+time screentime tv+hours tvhours hours+tv study+hours hours+study study+time studytime "
          "internet+usage daily+usage usage+hours usage+time time+spent social+media hours+gaming gaming+hours tv+time "
          "phone+use"),
    Topic("score", 4, "scores, marks and opinions",
          "success lost+job job+loss looking+job job+search inflight+service onboard+service checkin+service "
          "room+service+rating service+rating tevredenheid rapportcijfer eindcijfer zufr zufriedenheit zufrieden "
          "gradimento soddisfazione satisfacao satisfaccion felicidad"),
    Topic("money", 4, "money",
          "child+support liabilities liability redd redd+fam nonfood+exp exp+nonfood scholarship ing+cor ing+lab "
          "ing+tot ingtot gasto+mon phone+service internet+service streaming+tv streaming+movies online+security "
          "online+backup device+protection tech+support paperless bruto+loon netto+loon huur uitkering schulden+hoogte "
          "schuld area+income+own inkomst loonschaal salaris"),
    Topic("health", 3, "health",
          "kostentrager versicherungstrager zorgverzekering ligduur diagnose+code ziekte roken roker overleden "
          "sterfte medicatie behandeling verzuim verzuimdagen gestage gest+age gestational poids+naissance "
          "naissance+poids pocket+depth"),
    Topic("staff", 3, "who treated, asked or dealt with somebody",
          "provider recruiter responsable responsabile verantwoordelijke behandelaar huisarts rapporteur"),
    Topic("household", 5, "numbers of households",
          "id+fam cod+familiar cod+familia id+familia id+hogar id+menage num+menage nr+haushalt hh+nr hh+no cod+fam "
          "id+nucleo id+famiglia famiglia+id folio+viv folioviv num+hog"),
)  # fmt: skip
