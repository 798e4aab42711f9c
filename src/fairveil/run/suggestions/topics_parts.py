"""Parts of names as offices shorten them in seven languages, decisions, sampling weights, and how a system keeps a
record: by whom and when it was entered, from which system, with which version of a program."""

from __future__ import annotations

from fairveil.run.suggestions.topic_words import Topic

PARTS = (
    # how a system keeps a record
    Topic("technical", 8, "how the record was kept",
          "created+by changed+by modified+by updated+by entered+by edited+by last+changed+by recorded+by inserted+by "
          "deleted+by created+user changed+user modified+user update+user user+stamp userstamp last+user "
          "usuario+alta usuario+mod usuario+modif usr+mod utilisateur+maj cree+par modifie+par saisi+par "
          "angelegt+von geandert+von geaendert+von erfasst+von erfasser utente+modifica gewijzigd+door "
          "aangemaakt+door criado+por alterado+por changed+on changed+at modified+on modified+at modified+ts "
          "updated+ts update+ts upd+ts last+update date+maj fecha+mod fecha+modif fecha+actualizacion geandert+am "
          "geaendert+am aenderungsdatum anderungsdatum data+modifica data+atualizacao wijzigingsdatum mutatiedatum "
          "load+ts load+dttm load+dt etl+ts etl+date etl+batch etl+load etl+run etl+id loaded+at ingested+at "
          "ingest+ts import+id import+ts imported+at batch+id batch+no batchid load+id job+run src+sys source+system "
          "src+system sys+src quellsystem herkunftssystem sistema+origen systeme+source row+version rec+version "
          "record+version rowver row+hash rec+hash checksum md5 sha1 file+id filename file+line line+no lineno+file "
          "row+no rowno zeilennr sheet app+ver app+version appversion client+version client+ver fw+rev fw+ver "
          "fw+version firmware sw+version sw+ver build+no build+number sdk+version os+version os+ver form+ver "
          "form+id schema+version api+version db+version user+agent useragent session+id sessionid request+id "
          "trace+id msg+id message+id is+deleted del+flag deleted+flag lock+flag sync+status sync+flag sync+ts "
          "sync+at"),
    Topic("plain", 6, "how people were asked",
          "mode+int mode+interview interview+mode mode+collecte mode+recueil mode+enquete mode+entretien "
          "erhebungsmodus erhebungsart befragungsart modo+entrevista modo+encuesta survey+mode collection+mode "
          "data+collection+mode capi cati cawi int+lang int+language lang+int language+int langue+entretien "
          "idioma+entrevista quest+version questionnaire+vers fragebogenversion questionnaire+form"),
    Topic("plain", 7, "units of measurement and money",
          "=currency =curr =ccy =waehrung =wahrung =devise =moneda =moeda =valuta =monnaie currency+code curr+cd "
          "curr+code currency+cd uom unit+measure unit+of+measure masseinheit unidad+medida unita+misura "
          "unite+mesure"),
    # sampling weights
    Topic("weight", 6, "sampling weights",
          "pds pds+redr poids+redr poids+red pds+fin pds+ind poids+final poids+ind poids+indiv poids+men "
          "poids+calage poids+cal coef+pond coeff+pond pond+fin pond+ind pond+men calage calweight cal+weight "
          "calib+weight raking+weight rake+weight rakewt gewicht+pers gewicht+hh pers+gewicht personengewicht "
          "haushaltsgewicht querschnittsgewicht designgewicht gesamtgewicht anpassungsgewicht redressement redr "
          "hochr hrf hochrechnungsf hochrfaktor ponderador factor+ponderacion factor+pond factor+exp "
          "factor+elevacion fact+elev factor+elev factorel peso+muestral peso+muestra peso+amostral peso+campionario "
          "peso+campione coef+riporto weegfactor wegingsfactor ophoogfactor weging ophoog expansion+fac exp+fac "
          "expfac iptw svywt svywgt survey+wt samp+wt sample+wt final+wt base+wt basewt repwt rep+weight jkwt pspwt "
          "postwt post+strat+weight psweight psw+weight trimmed+weight wt+trim person+wt hh+wt indwt indiv+weight "
          "popweight pop+weight"),
    # grounds, as offices shorten them
    Topic("ground", 5, "sex or gender",
          "=gesch =geschl =sx =sexe =sexo =sesso =sex =gslcht =geslacht cd+sexe cod+sexe cod+sexo tp+sexo cod+sesso "
          "id+sexo sex+cd sex+code gender+cd gender+code geschlecht+cd geschl+kz geschlkz gndr+cd gen+cd"),
    Topic("ground", 5, "nationality",
          "natnlty natlty natlity natl nationalit nation+cd nat+cd nat+code natcode cd+nat cod+nat cod+nac cd+nac "
          "nacion nacionalid nacionalidade nazion nazionalita nazionalitat staatsang staatsangeh staatsang+kz stang "
          "stang+kz staat+kz citz citzn ctz ctzn citizensh ciudadan pais+nac pais+origen pays+nais pays+orig "
          "pays+origine land+herk paese+nasc paese+nascita nat+pais cod+pais+nac herkunft+land"),
    Topic("ground", 5, "marital status",
          "est+civ estciv edo+civil edociv est+civil etatciv etat+civ sit+fam sitfam sit+famil sit+mat sitmat "
          "situ+fam stato+civ statociv st+civ burgstaat burg+staat burgerl+staat mar+st mar+stat marstat marst mrtl "
          "mrtl+st marital+cd marital+sts fam+stand famst fam+st famstd fst+kz fst+cd civ+st civst civstat"),
    Topic("ground", 5, "age",
          "geb+dat gebdat geb+dt gebdt geb+jahr gebj geb+jr geb+monat f+nac fec+nac fch+nac fechanac f+nacim "
          "fec+nacim fnacim anio+nac ano+nac an+nais annais date+nais dat+nais dt+nais dnais dnaiss datnais dt+nasc "
          "dtnasc data+nasc datanasc ano+nasc dt+nascita data+nas dt+birth birth+dt birthdt brth+dt brthdt bth+dt "
          "dob+yr dob+year yr+birth birth+yr brth+yr byr yobirth gebdatum geb+datum gebjaar geb+jaar edad+anos "
          "edad+act tr+age trage tranche+ag gr+edad gpo+edad alt+gr altgr age+gp age+rng age+bnd ageband+cd leeft "
          "lftd lft"),
    Topic("ground", 4, "race, colour or origin",
          "ethn+cd eth+cd ethcd ethnic+cd race+cd racecd raza+cd cod+etnia etn+cod grp+ethn"),
    Topic("belief", 5, "religion or belief",
          "relig+cd rel+cd religion+cd konf konf+kz konfess cod+religion rk+ev =konfe =rel kirchenst"),
    Topic("belief", 5, "sexual orientation",
          "=seeking seeking+gender looking+for+gender interested+in+gender gender+preference preferred+gender "
          "partner+gender partner+sex sex+partner sexuality =interested+in =orient orient+sex sexual+orient "
          "sex+orient orientacion+sexual orientation+sexuelle"),
    Topic("belief", 4, "a disability or pregnancy",
          "gr+discap grado+discapacidad discap rqth aah taux+invalidite taux+incap incap gdb+grad mdk schwb schwbeh "
          "sb+grad disab+cd disabl+cd dis+flag grado+dependencia invalidita legge+104 deficiencia+tp"),
    # what others know
    Topic("life", 5, "work",
          "sit+lab sit+laboral sitlab sit+prof sitprof sit+emp sitemp sit+act cat+prof catprof grp+prof gr+prof "
          "gpo+cotizacion cod+cno cno cnae =naf code+naf =ape code+ape =pcs code+pcs pcs+cd =csp csp+cd =rome "
          "code+rome =cbo cod+cbo =sbi =ateco cod+ateco =noga =wz kldb+cd isco+cd soc+cd occ+cd occcd occ+code "
          "occup+cd ocup+cod prof+cd emp+typ emptyp emp+stat empstat emp+sts empl+st tp+contrat typ+contrat "
          "typcontrat tp+contrato tipo+contr art+vertrag besch+art besch+grad beschgrad az+modell tarifgr entgelt+gr "
          "study+prog prog+study degree+prog course+title programme+title =prog =programme "
          "qualif qualif+cd inquadr liv+contr dept+cd deptcd dep+cd org+einheit orgeinheit oe+nr abt abt+nr"),
    Topic("life", 5, "school or studies",
          "niv+estud nivestud niv+form nivform niv+etu niv+edu niv+instr niv+istr tit+studio titstudio tit+acad "
          "est+alcanz estud+alc estudos grau+instr grauinstr escolarid escol escolar nivel+ens educ+lvl educ+lev "
          "educlvl edu+lvl edlvl educ+cd schulabschl schulab schul+abs ausb+abschl berufsabschl hoechster+abschluss "
          "opl+niv oplniv oplniveau diplome+cd dipl+cd bac+serie serie+bac etab+orig etab+origine etab+prec "
          "prev+school school+prev prev+inst feeder+school previous+school herkunftsschule abgebende+schule "
          "centro+origen"),
    Topic("life", 5, "family and home",
          "nb+pers nbpers nb+personnes nb+pac nbpac nb+enfants n+enf n+hijos nhijos num+hijos num+miemb nmiemb "
          "n+miembros tam+hogar tamhog taille+foy taille+men taillefoy taillemen anz+kind anzkind anz+kinder "
          "anz+pers anzpers hh+gr hhgr pers+hh n+figli nfigli n+comp ncomp num+comp n+filhos nfilhos qtd+filhos "
          "qt+filhos qt+dep n+kind aant+kind no+dep nodep nbr+dep n+occ rel+tit parentesc rel+fam rel+ref "
          "lien+parente lien+pers rel+to+head rel+hoh res+stat resstat yrs+addr years+addr time+addr reg+vivienda "
          "tip+viviend statut+occ"),
    Topic("thing", 3, "which document somebody showed", "doc+type document+type doc+typ id+type id+doc+type tipo+doc"),
    Topic("crime", 4, "crime", "frd frd+flag fraud+flg frd+ind fraud+ind"),
    Topic("plain", 4, "when people were asked", "diary+day diaryday interview+day survey+day"),
    Topic("unit", 2, "which member of a household",
          "orden+miembro ord+miembro num+orden+miembro num+miembro no+ordre+pers ordre+personne person+in+hh "
          "pers+in+hh lfd+pers pers+seq member+seq hh+member+no"),
    Topic("place", 4, "where somebody lives or is",
          "com+res comres comresid cod+mun codmun cd+mun cdmun mun+res munres com+nais comnais loc+cd loc+code "
          "pin+code pincode pc+sect pc+dist =pc curr+pc current+pc home+pc huidig+pc oud+pc =pc4 =pc6 cellule celda "
          "zelle "
          "haftraum geb+ort gebort geburtsort lieu+nais lugar+nac luogo+nasc luogo+nascita local+nasc "
          "geb+plaats "
          "birth+pl birthpl birthplace "
          "reg+cd regcd region+cd cod+reg codreg cod+prov codprov prov+cd cod+com codcom dept+res dep+res gem+cd "
          "gemcd gem+kz gemkz wohnort+cd ort+cd plz+ort plz3 plz2 lkr ldkr ga+nr ags5 ags8 tam+mun cat+agglo "
          "catagglo taille+aglo taille+agglo tx+urb cod+postal codpost cod+post pc+district pc+sector post+town "
          "post+cd postcd pcode pst+cd zip3 zip5 zipcd cty+cd cnty cnty+cd cntycd st+cd"),
    Topic("date", 4, "when something happened to somebody",
          "fec+alta f+alta fch+alta fec+ingreso f+ingreso fec+baja f+baja fec+sol fec+inicio fec+fin dt+entree "
          "dt+sortie dat+ent dat+sort dt+ent date+deb dt+deb date+fin dt+fin datdeb datfin eintr austr eintr+dat "
          "austr+dat ein+dat aus+dat beg+dat end+dat dt+adm dtadm dt+inter dt+alta dt+obito data+ingr data+dim "
          "dt+ini dtini inst+datum uit+datum dat+in dat+uit appl+dt app+dt appdt open+dt opn+dt close+dt cls+dt "
          "start+dt strt+dt end+dt eff+dt exp+dt trx+dt txn+dt svc+dt srv+dt visit+dt adm+dt dis+dt disch+dt reg+dt "
          "arr+dt"),
    Topic("staff", 3, "who treated, asked or dealt with somebody",
          "trab+social trabajador+social trabajadora+social assist+social assistente+sociale assistante+sociale "
          "assistente+social soc+worker social+worker case+worker casewkr handler+id handled+by bearb sachb sb+kz "
          "sb+nr kundenberater kdberater ref+tecnico tecnico+ref med+resp med+tratante med+trat prescr prescr+id "
          "rpps rpps+presc preparateur dispensateur =handler claims+handler claim+handler handler+cd badge "
          "ofcr+badge badge+no dr+code dr+id gp+code gp+id cons+code "
          "operador operatore"),
    # secrets
    Topic("money", 4, "money",
          "imp+mes importe+mes imp+mens imp+men ingr ingr+comput ingr+mes ing+mens ing+fam ing+hogar ingresos+hogar "
          "rev+foy rev+men rev+mens rev+fisc revfoy montant+aide mt+aide mt+verse mnt+verse mt+alloc mnt+alloc "
          "sal+bru sal+brut sal+net salbrut salnet sal+base sueldo+br renda+fam rend+fam rendfam redd+fam redd+imp "
          "ral betr betrag+mon grundbetr leist+betr brutto+mon netto+mon eink eink+hh hh+eink hheink inkomst "
          "ink+klasse net+inc gross+inc netinc mth+inc mnth+inc inc+mth inc+band income+band inc+bkt hh+inc "
          "hhinc+cat loan+amt ln+amt lnamt prin+bal out+bal os+bal curr+bal avail+bal cr+lim crlim cred+lim "
          "bur+score arrears+amt pay+status prem+amt clm+amt paid+amt bill+gbp bill+eur bill+usd bill+amt amt+due "
          "amt+paid"),
    Topic("outcome", 4, "what became of somebody",
          "=observed motivo+baja motivo+cese motif+sortie motif+refus mot+sortie mot+refus motivo+denegacion "
          "ablehnungsgrund abl+grund austrittsgr abgangsgr dec+rsn dec+reason decl+rsn reject+reason rej+rsn "
          "refusal+reason denial+reason denial+code reason+denied term+rsn term+reason sep+rsn causa+baja"),
    Topic("unit", 2, "an institution or a group", "=group =grp =gruppe =grupo =groupe =gruppo =groep"),
    Topic("unit", 6, "an institution or a group",
          "cost+center cost+centre cost+ctr cost+cntr costcenter costcentre kostenstelle kostenst kst centre+cout "
          "centro+costo "
          "centro+coste centro+costes centro+custo centro+costi kostenplaats profit+center"),
    Topic("crime", 5, "crime", "ucr nibrs off+cd off+code offense+cd offence+cd charge+cd charge+code statute ucr+cd"),
    Topic("health", 5, "health", "cip7 cip13 cip pzn ndc gtin+med drug+cd drug+code med+cd med+code rx+cd"),
    Topic("score", 4, "scores, marks and opinions",
          "=effort effort+grade effort+gr homework+gr behaviour+gr conduct+gr clt clt+commission rang+voeu rang+clt "
          "rang+class note+dossier moy+gen moy moyenne moygen media+exp "
          "nota+exp nota+media notam voto+laurea voto+esame gem+cijfer beurt beurteil beurt+note leist+beurt"),
    # what is decided
    Topic("decision", 4.5, "a decision about somebody",
          "dec+cd dec+code deccd decision+cd decision+code decis cd+dec cod+decision fin+dec final+decision "
          "final+dec decn decn+cd uw+dec rsd+decision rsddecision asylum+decision asylentscheidung entsch entsch+kz "
          "bescheid+art bescheid+erg ergebnis+antrag antragsergebnis antrag+erg avis+commission avis+jury avis+final "
          "decision+jury decision+finale resultat+demande suite+donnee dictamen resolucion+sol resultado+solicitud "
          "estado+solicitud sentido+resolucion parecer resultado+analise decisao situacao+pedido esito+domanda "
          "esito+istanza esito+pratica beslissing besluit uitkomst+aanvraag application+outcome app+outcome "
          "appl+outcome adm+decision admit+decision admission+decision offer+decision offer+status hiring+decision "
          "hire+decision application+decision approval+status approval+flag appr+flag approved+flag adjudication "
          "determination eligibility+result zusage vergabeentscheidung platzzusage zuteilung toewijzing toekenning "
          "adjudicacion assegnazione"),
)  # fmt: skip
"""The words of each topic."""
